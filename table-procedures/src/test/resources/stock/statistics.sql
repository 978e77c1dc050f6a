-- Statistics written with data, by ANALYZE, and read by the planner. The sketch function has another name in the lake connector.
CREATE TABLE collected AS SELECT * FROM tpch1.tiny.customer;
SHOW STATS FOR collected;
SELECT record_count, file_size_in_bytes, column_sizes, split_offsets, readable_metrics FROM "collected$files";
SHOW STATS FOR (SELECT * FROM collected WHERE nationkey = 3);
INSERT INTO collected SELECT custkey + 100000, name || '!', address, nationkey, phone, acctbal, mktsegment, comment FROM tpch1.tiny.customer;
SHOW STATS FOR collected;
-- session: collect_extended_statistics_on_write=false
CREATE TABLE bare AS SELECT * FROM tpch1.tiny.supplier;
SHOW STATS FOR bare;
ANALYZE bare WITH (columns = ARRAY['suppkey', 'nationkey']);
SHOW STATS FOR bare;
ANALYZE bare;
SHOW STATS FOR bare;
EXPLAIN ANALYZE bare;
-- session: statistics_enabled=false
SHOW STATS FOR bare;
EXPLAIN SELECT * FROM bare b JOIN collected c ON b.nationkey = c.nationkey WHERE c.nationkey = 3;
-- fails: INVALID_ANALYZE_PROPERTY
ANALYZE bare WITH (columns = ARRAY['nothing']);
-- fails: INVALID_ANALYZE_PROPERTY
ANALYZE bare WITH (columns = ARRAY[]);
ALTER TABLE bare EXECUTE drop_extended_stats;
SHOW STATS FOR bare;
CREATE TABLE nested (id bigint, inner_row ROW(a integer, b varchar), list array(integer)) ;
INSERT INTO nested VALUES (1, ROW(1, 'x'), ARRAY[1, 2]), (2, ROW(1, 'y'), ARRAY[]), (3, NULL, NULL);
ANALYZE nested;
SHOW STATS FOR nested;
-- analyzed by the other connector, read by this one, and collected further by it
CREATE TABLE both AS SELECT * FROM tpch1.tiny.nation;
ANALYZE {other}.{schema}.both;
SHOW STATS FOR both;
SHOW STATS FOR {other}.{schema}.both;
INSERT INTO both SELECT nationkey + 100, name, regionkey + 7, comment FROM tpch1.tiny.nation;
SHOW STATS FOR both;
INSERT INTO {other}.{schema}.both SELECT nationkey + 200, name, regionkey + 14, comment FROM tpch1.tiny.nation;
SHOW STATS FOR both;
EXPLAIN INSERT INTO both SELECT * FROM tpch1.tiny.nation;
EXPLAIN CREATE TABLE another AS SELECT * FROM tpch1.tiny.nation;
