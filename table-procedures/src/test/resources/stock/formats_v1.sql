-- Format version 1 has no row-level deletes.
CREATE TABLE orders (id bigint, name varchar, day date) WITH (format = '{format}', format_version = 1, partitioning = ARRAY['day']);
INSERT INTO orders VALUES (1, 'one', DATE '2024-01-05'), (2, 'two', DATE '2024-01-06'), (3, 'three', DATE '2024-01-06'), (4, NULL, NULL);
SHOW CREATE TABLE orders;
-- fails: NOT_SUPPORTED
UPDATE orders SET name = 'x' WHERE id = 1;
-- fails: NOT_SUPPORTED
DELETE FROM orders WHERE id = 1;
-- fails: NOT_SUPPORTED
MERGE INTO orders t USING (VALUES 1) s(id) ON t.id = s.id WHEN MATCHED THEN DELETE;
DELETE FROM orders WHERE day = DATE '2024-01-06';
SELECT * FROM orders;
SELECT partition, record_count, file_count, data FROM "orders$partitions";
ALTER TABLE orders EXECUTE optimize;
ALTER TABLE orders SET PROPERTIES format_version = 2;
UPDATE orders SET name = 'x' WHERE id = 1;
SELECT * FROM orders;
SELECT operation, summary FROM "orders$snapshots" ORDER BY committed_at;
-- fails: INVALID_TABLE_PROPERTY
CREATE TABLE bad (id bigint) WITH (format_version = 4);
