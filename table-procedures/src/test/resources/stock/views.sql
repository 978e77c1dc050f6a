CREATE TABLE base (id bigint, grp integer, amount decimal(10, 2)) WITH (partitioning = ARRAY['grp']);
INSERT INTO base VALUES (1, 1, 10), (2, 1, 20), (3, 2, 30);
CREATE VIEW totals COMMENT 'per group' AS SELECT grp, sum(amount) AS total FROM base GROUP BY grp;
SELECT * FROM totals;
SHOW CREATE VIEW totals;
DESCRIBE totals;
COMMENT ON VIEW totals IS 'other words';
COMMENT ON COLUMN totals.total IS 'money';
SHOW CREATE VIEW totals;
DESCRIBE totals;
CREATE OR REPLACE VIEW totals SECURITY INVOKER AS SELECT grp, count(*) AS n FROM base GROUP BY grp;
SELECT * FROM totals;
-- fails: TABLE_ALREADY_EXISTS
CREATE VIEW totals AS SELECT 1 AS x;
ALTER VIEW totals RENAME TO sums;
SELECT * FROM sums;
-- fails: TABLE_NOT_FOUND
SELECT * FROM totals;
-- fails: NOT_SUPPORTED
INSERT INTO sums VALUES (1, 1);
-- fails: NOT_SUPPORTED
ALTER TABLE sums EXECUTE optimize;
CREATE MATERIALIZED VIEW per_group GRACE PERIOD INTERVAL '0' SECOND COMMENT 'kept' WITH (format = 'ORC', partitioning = ARRAY['grp']) AS SELECT grp, sum(amount) AS total FROM base GROUP BY grp;
SELECT * FROM per_group;
REFRESH MATERIALIZED VIEW per_group;
SELECT * FROM per_group;
EXPLAIN SELECT * FROM per_group;
SELECT catalog_name, schema_name, name, freshness, comment, definition FROM system.metadata.materialized_views WHERE catalog_name = '{catalog}' AND schema_name = '{schema}';
INSERT INTO base VALUES (4, 2, 5);
SELECT freshness FROM system.metadata.materialized_views WHERE catalog_name = '{catalog}' AND schema_name = '{schema}';
SELECT * FROM per_group;
REFRESH MATERIALIZED VIEW per_group;
SELECT * FROM per_group;
SELECT freshness FROM system.metadata.materialized_views WHERE catalog_name = '{catalog}' AND schema_name = '{schema}';
SHOW CREATE MATERIALIZED VIEW per_group;
CREATE MATERIALIZED VIEW plain AS SELECT id, amount FROM base WHERE amount > 5;
REFRESH MATERIALIZED VIEW plain;
-- an append is refreshed incrementally
INSERT INTO base VALUES (5, 3, 50);
REFRESH MATERIALIZED VIEW plain;
SELECT * FROM plain;
SELECT operation, summary FROM "plain$snapshots" ORDER BY committed_at;
-- fails: NOT_SUPPORTED
INSERT INTO plain VALUES (1, 1);
ALTER MATERIALIZED VIEW plain RENAME TO plainer;
-- fails: NOT_SUPPORTED
ALTER MATERIALIZED VIEW plainer SET PROPERTIES format = 'PARQUET';
SELECT * FROM plainer;
DROP MATERIALIZED VIEW per_group;
-- fails: TABLE_NOT_FOUND
SELECT * FROM per_group;
SHOW TABLES;
SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = '{schema}';
SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = '{schema}';
