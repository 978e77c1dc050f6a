-- Table, schema and session properties.
CREATE TABLE tuned (id bigint, name varchar, day date) WITH (
    format = 'PARQUET',
    format_version = 2,
    compression_codec = 'ZSTD',
    partitioning = ARRAY['day(day)'],
    sorted_by = ARRAY['name DESC NULLS FIRST', 'id'],
    max_commit_retry = 7,
    delete_after_commit_enabled = true,
    max_previous_versions = 5,
    parquet_bloom_filter_columns = ARRAY['name'],
    object_store_layout_enabled = true,
    data_location = 'local:///elsewhere/{schema}/tuned',
    extra_properties = MAP(ARRAY['owner.team', 'read.split.target-size'], ARRAY['blue', '1048576']));
SHOW CREATE TABLE tuned;
SELECT * FROM "tuned$properties";
INSERT INTO tuned VALUES (1, 'one', DATE '2024-01-01'), (2, 'two', DATE '2024-01-01');
SELECT * FROM tuned WHERE name = 'two';
SELECT regexp_replace("$path", 'tuned/.*') FROM tuned;
ALTER TABLE tuned SET PROPERTIES extra_properties = MAP(ARRAY['owner.team'], ARRAY['red']);
ALTER TABLE tuned SET PROPERTIES max_commit_retry = 2, format = 'ORC';
-- fails: GENERIC_INTERNAL_ERROR
ALTER TABLE tuned SET PROPERTIES object_store_layout_enabled = false, data_location = DEFAULT;
SELECT * FROM "tuned$properties";
SHOW CREATE TABLE tuned;
CREATE TABLE orc (id bigint) WITH (format = 'ORC', orc_bloom_filter_columns = ARRAY['id'], orc_bloom_filter_fpp = 0.1, compression_codec = 'SNAPPY');
SHOW CREATE TABLE orc;
-- fails: INVALID_TABLE_PROPERTY
CREATE TABLE bad (id bigint) WITH (partitioning = ARRAY['century(id)']);
-- fails: INVALID_TABLE_PROPERTY
CREATE TABLE bad (id bigint) WITH (nothing = 1);
-- fails: INVALID_TABLE_PROPERTY
CREATE TABLE bad (id bigint) WITH (format = 'CSV');
-- fails: GENERIC_INTERNAL_ERROR
CREATE TABLE bad (id bigint) WITH (sorted_by = ARRAY['nothing']);
-- fails: INVALID_TABLE_PROPERTY
CREATE TABLE bad (id bigint) WITH (orc_bloom_filter_columns = ARRAY['id'], orc_bloom_filter_fpp = 3, format = 'ORC');
-- fails: INVALID_TABLE_PROPERTY
CREATE TABLE bad (id bigint) WITH (extra_properties = MAP(ARRAY['format-version'], ARRAY['1']));
-- fails: INVALID_TABLE_PROPERTY
CREATE TABLE twin (LIKE tuned INCLUDING PROPERTIES);
CREATE TABLE twin (LIKE tuned);
CREATE TABLE IF NOT EXISTS twin (id bigint);
-- session: sorted_writing_enabled=false
-- session: parquet_writer_batch_size=1
INSERT INTO twin VALUES (1, 'one', DATE '2024-01-01');
SELECT column_sizes, readable_metrics FROM "twin$files";
SHOW CREATE SCHEMA {schema};
SHOW SESSION LIKE '{catalog}.%';
SELECT property_name, default_value, type, description FROM system.metadata.table_properties WHERE catalog_name = '{catalog}' AND NOT starts_with(property_name, 'maintenance_');
SELECT property_name, default_value, type, description FROM system.metadata.schema_properties WHERE catalog_name = '{catalog}';
SELECT property_name, default_value, type, description FROM system.metadata.materialized_view_properties WHERE catalog_name = '{catalog}' AND NOT starts_with(property_name, 'maintenance_');
SELECT property_name, default_value, type, description FROM system.metadata.analyze_properties WHERE catalog_name = '{catalog}';
-- empty
SELECT property_name, default_value, type, description FROM system.metadata.column_properties WHERE catalog_name = '{catalog}';
SELECT * FROM system.iceberg_tables WHERE table_schema = '{schema}';
SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema IN ('information_schema', '{schema}');
SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'information_schema';
SHOW SCHEMAS LIKE 'information_schema';
-- fails: INVALID_SESSION_PROPERTY
-- session: nothing=1
SELECT 1;
-- fails: GENERIC_INTERNAL_ERROR
-- session: minimum_assigned_split_weight=large
SELECT * FROM tuned;
-- fails: SCHEMA_NOT_EMPTY
DROP SCHEMA {schema};
-- fails: SCHEMA_ALREADY_EXISTS
CREATE SCHEMA {schema};
CREATE SCHEMA {schema}_x WITH (location = 'local:///places/{schema}_x');
SHOW CREATE SCHEMA {schema}_x;
DROP SCHEMA {schema}_x;
