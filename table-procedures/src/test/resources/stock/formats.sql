-- Writing and reading in each file format, for the format versions that have row-level deletes.
CREATE TABLE orders (
    id bigint NOT NULL COMMENT 'key',
    name varchar,
    price decimal(12, 2),
    ratio double,
    day date,
    at timestamp(6),
    zoned timestamp(6) with time zone,
    raw varbinary,
    flags array(boolean),
    tags map(varchar, integer),
    address ROW(street varchar, number integer))
COMMENT 'orders to try out'
WITH (format = '{format}', format_version = {version}, partitioning = ARRAY['month(day)', 'bucket(id, 2)']);
SHOW CREATE TABLE orders;
DESCRIBE orders;
INSERT INTO orders VALUES
    (1, 'one', 1.50, 0.1, DATE '2024-01-05', TIMESTAMP '2024-01-05 10:00:00.123456', TIMESTAMP '2024-01-05 10:00:00.123456 UTC', X'0102', ARRAY[true, false], MAP(ARRAY['a'], ARRAY[1]), ROW('main', 1)),
    (2, 'two', 2.50, 0.2, DATE '2024-01-06', NULL, NULL, NULL, NULL, NULL, NULL),
    (3, NULL, NULL, nan(), DATE '2024-02-07', TIMESTAMP '2024-02-07 10:00:00', TIMESTAMP '2024-02-07 10:00:00 +02:00', X'', ARRAY[], MAP(), ROW(NULL, 3)),
    (4, 'four', -4.50, -0.4, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
SELECT content, file_format, spec_id, partition, record_count, column_sizes, value_counts, null_value_counts, nan_value_counts, lower_bounds, upper_bounds, split_offsets, equality_ids, sort_order_id, readable_metrics FROM "orders$files";
INSERT INTO orders (id, name, day) SELECT 10 + id, name || '+', day FROM orders;
SELECT * FROM orders;
SELECT address.number, tags['a'], flags[1] FROM orders WHERE address.street = 'main';
SELECT id FROM orders WHERE day >= DATE '2024-02-01' ORDER BY id;
UPDATE orders SET price = price * 2, name = upper(name) WHERE id IN (1, 13);
DELETE FROM orders WHERE id = 2;
DELETE FROM orders WHERE day >= DATE '2024-02-01' AND day < DATE '2024-03-01';
MERGE INTO orders t USING (VALUES (1, 'first', DATE '2024-01-05'), (4, NULL, NULL), (99, 'new', DATE '2024-05-01')) s(id, name, day)
ON t.id = s.id
WHEN MATCHED AND s.name IS NULL THEN DELETE
WHEN MATCHED THEN UPDATE SET name = s.name
WHEN NOT MATCHED THEN INSERT (id, name, day) VALUES (s.id, s.name, s.day);
SELECT * FROM orders;
SELECT count(*), min(id), max(day) FROM orders;
SELECT content, file_format, spec_id, partition, record_count, null_value_counts, lower_bounds, upper_bounds, sort_order_id FROM "orders$files" WHERE content = 0;
SELECT content, file_format, spec_id, partition, record_count FROM "orders$files" WHERE content <> 0;
SELECT operation, summary FROM "orders$snapshots" ORDER BY committed_at;
SELECT content, partition_spec_id, added_data_files_count, existing_data_files_count, deleted_data_files_count, added_rows_count, existing_rows_count, deleted_rows_count, partition_summaries FROM "orders$manifests";
SELECT partition, record_count, file_count, data FROM "orders$partitions";
ALTER TABLE orders EXECUTE optimize;
SELECT * FROM orders;
SELECT content, partition, record_count FROM "orders$files";
TRUNCATE TABLE orders;
-- empty
SELECT * FROM orders;
-- fails: CONSTRAINT_VIOLATION
INSERT INTO orders (id, name) VALUES (NULL, 'no key');
CREATE TABLE orders_copy WITH (format = '{format}', format_version = {version}, sorted_by = ARRAY['nationkey DESC']) AS SELECT * FROM tpch1.tiny.nation;
SELECT count(*), sum(nationkey), checksum(name) FROM orders_copy;
SHOW CREATE TABLE orders_copy;
-- fails: TABLE_ALREADY_EXISTS
CREATE TABLE orders_copy (id bigint);
CREATE OR REPLACE TABLE orders_copy WITH (format = '{format}', format_version = {version}) AS SELECT regionkey, count(*) AS nations FROM tpch1.tiny.nation GROUP BY regionkey;
SELECT * FROM orders_copy;
