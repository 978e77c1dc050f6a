CREATE TABLE many (id bigint, day date, name varchar) WITH (partitioning = ARRAY['day']);
INSERT INTO many VALUES (1, DATE '2024-01-01', 'a'), (2, DATE '2024-01-02', 'b');
INSERT INTO many VALUES (3, DATE '2024-01-01', 'c'), (4, DATE '2024-01-02', 'd');
INSERT INTO many VALUES (5, DATE '2024-01-01', 'e');
DELETE FROM many WHERE id = 3;
EXPLAIN ALTER TABLE many EXECUTE optimize;
ALTER TABLE many EXECUTE optimize(file_size_threshold => '1kB') WHERE day = DATE '2024-01-02';
ALTER TABLE many EXECUTE optimize WHERE day = DATE '2024-01-02';
SELECT content, partition, record_count FROM "many$files";
ALTER TABLE many EXECUTE optimize;
SELECT content, partition, record_count FROM "many$files";
-- fails: GENERIC_INTERNAL_ERROR
ALTER TABLE many EXECUTE optimize WHERE id = 1;
-- fails: INVALID_PROCEDURE_ARGUMENT
ALTER TABLE many EXECUTE optimize(file_size_threshold => 'huge');
-- fails: INVALID_PROCEDURE_ARGUMENT
ALTER TABLE many EXECUTE optimize(nothing => 1);
-- fails: PROCEDURE_NOT_FOUND
ALTER TABLE many EXECUTE nothing;
-- fails: TABLE_NOT_FOUND
ALTER TABLE nothing EXECUTE optimize;
SELECT count(*) FROM "many$manifests";
ALTER TABLE many EXECUTE optimize_manifests;
SELECT content, added_data_files_count, existing_data_files_count, existing_rows_count FROM "many$manifests";
SELECT operation, summary FROM "many$snapshots" ORDER BY committed_at;
ALTER TABLE many EXECUTE expire_snapshots(retention_threshold => '0s', retain_last => 3);
SELECT operation FROM "many$snapshots" ORDER BY committed_at;
ALTER TABLE many EXECUTE expire_snapshots(retention_threshold => '0s', clean_expired_metadata => true);
SELECT operation FROM "many$snapshots" ORDER BY committed_at;
-- fails: INVALID_PROCEDURE_ARGUMENT
ALTER TABLE many EXECUTE expire_snapshots(retain_last => 0);
-- fails: NOT_SUPPORTED
ALTER TABLE many EXECUTE expire_snapshots WHERE day = DATE '2024-01-01';
ALTER TABLE many EXECUTE remove_orphan_files(retention_threshold => '0s');
SELECT * FROM many;
-- fails: INVALID_PROCEDURE_ARGUMENT
ALTER TABLE many EXECUTE remove_orphan_files(retention_threshold => '1 fortnight');
CREATE TABLE target (id bigint, day date, name varchar);
CREATE TABLE source (id bigint, day date, name varchar) WITH (format = 'ORC');
INSERT INTO source VALUES (1, DATE '2024-01-01', 'a'), (2, NULL, NULL);
ALTER TABLE target EXECUTE add_files(location => '{location source}/data', format => 'ORC');
SELECT * FROM target;
SELECT record_count, file_format, readable_metrics FROM "target$files";
-- fails: ICEBERG_COMMIT_ERROR
ALTER TABLE target EXECUTE add_files(location => '{location source}/data', format => 'ORC');
-- fails: INVALID_PROCEDURE_ARGUMENT
ALTER TABLE target EXECUTE add_files(location => '{location source}/data', format => 'CSV');
-- fails: ICEBERG_COMMIT_ERROR
ALTER TABLE target EXECUTE add_files(location => '{location source}/nowhere', format => 'ORC');
CREATE SCHEMA hive.{schema}_hive;
CREATE TABLE hive.{schema}_hive.old (id bigint, name varchar, day date) WITH (format = 'PARQUET', partitioned_by = ARRAY['day']);
INSERT INTO hive.{schema}_hive.old VALUES (11, 'x', DATE '2024-03-01'), (12, 'y', DATE '2024-03-02');
CREATE TABLE adopted (id bigint, name varchar, day date) WITH (partitioning = ARRAY['day']);
ALTER TABLE adopted EXECUTE add_files_from_table(schema_name => '{schema}_hive', table_name => 'old', partition_filter => MAP(ARRAY['day'], ARRAY['2024-03-01']));
SELECT * FROM adopted;
-- fails: NOT_FOUND
ALTER TABLE adopted EXECUTE add_files_from_table(schema_name => CURRENT_SCHEMA, table_name => 'nothing');
