-- Schema and partition evolution, comments and column defaults.
CREATE TABLE people (id bigint NOT NULL, name varchar, born date, address ROW(street varchar, number integer)) WITH (format_version = 3);
INSERT INTO people VALUES (1, 'one', DATE '1990-01-01', ROW('main', 1));
ALTER TABLE people ADD COLUMN height real COMMENT 'in metres';
ALTER TABLE people ADD COLUMN score integer FIRST;
ALTER TABLE people ADD COLUMN rank integer AFTER name;
ALTER TABLE people ADD COLUMN address.city varchar;
-- fails: COLUMN_ALREADY_EXISTS
ALTER TABLE people ADD COLUMN score integer;
-- fails: NOT_SUPPORTED
ALTER TABLE people ADD COLUMN must integer NOT NULL;
INSERT INTO people VALUES (7, 2, 'two', 3, DATE '1991-01-01', ROW('side', 2, 'town'), REAL '1.8');
SELECT * FROM people;
ALTER TABLE people RENAME COLUMN rank TO place;
ALTER TABLE people RENAME COLUMN address.number TO house;
ALTER TABLE people ALTER COLUMN score SET DATA TYPE bigint;
-- fails: ICEBERG_COMMIT_ERROR
ALTER TABLE people ALTER COLUMN name SET DATA TYPE bigint;
ALTER TABLE people ALTER COLUMN id DROP NOT NULL;
ALTER TABLE people DROP COLUMN height;
ALTER TABLE people DROP COLUMN address.street;
-- fails: COLUMN_NOT_FOUND
ALTER TABLE people DROP COLUMN nothing;
SELECT * FROM people;
ALTER TABLE people ADD COLUMN country varchar DEFAULT 'Utopia';
SELECT country, count(*) FROM people GROUP BY country;
INSERT INTO people (id) VALUES (3);
ALTER TABLE people ALTER COLUMN country SET DEFAULT 'Elsewhere';
INSERT INTO people (id) VALUES (4);
INSERT INTO people (id, country) VALUES (5, NULL);
ALTER TABLE people ALTER COLUMN country DROP DEFAULT;
INSERT INTO people (id) VALUES (6);
SELECT * FROM people;
SHOW CREATE TABLE people;
CREATE TABLE with_default (id bigint, day date DEFAULT DATE '2024-01-01', price decimal(5, 2) DEFAULT 1.25) WITH (format_version = 3);
INSERT INTO with_default (id) VALUES (1);
SELECT * FROM with_default;
-- fails: NOT_SUPPORTED
CREATE TABLE old_default (id bigint DEFAULT 1) WITH (format_version = 2);
ALTER TABLE people SET PROPERTIES partitioning = ARRAY['year(born)'];
INSERT INTO people (id, born) VALUES (8, DATE '1993-01-01');
ALTER TABLE people SET PROPERTIES partitioning = ARRAY['year(born)', 'bucket(id, 4)', 'truncate(name, 1)'];
INSERT INTO people (id, born, name) VALUES (9, DATE '1994-01-01', 'nine');
SELECT spec_id, partition, record_count FROM "people$files" ORDER BY spec_id, record_count;
SELECT partition, record_count, file_count, data FROM "people$partitions";
-- fails: NOT_SUPPORTED
ALTER TABLE people DROP COLUMN born;
DELETE FROM people WHERE born < DATE '1992-01-01';
UPDATE people SET name = 'changed' WHERE born = DATE '1993-01-01';
SELECT * FROM people;
ALTER TABLE people EXECUTE optimize;
SELECT spec_id, partition, record_count FROM "people$files";
SELECT id, "$row_id" IS NOT NULL, "$last_updated_sequence_number" FROM people;
ALTER TABLE people SET PROPERTIES sorted_by = ARRAY['id'];
ALTER TABLE people SET PROPERTIES partitioning = ARRAY[];
SHOW CREATE TABLE people;
COMMENT ON TABLE people IS 'men and women';
COMMENT ON COLUMN people.id IS 'key';
COMMENT ON COLUMN people.address IS NULL;
SHOW CREATE TABLE people;
SELECT column_name, ordinal_position, column_default, is_nullable, data_type FROM information_schema.columns WHERE table_schema = '{schema}' AND table_name = 'people' ORDER BY ordinal_position;
SELECT table_name, comment FROM system.metadata.table_comments WHERE catalog_name = '{catalog}' AND schema_name = '{schema}';
SELECT column_name, type_name, remarks, is_nullable FROM system.jdbc.columns WHERE table_cat = '{catalog}' AND table_schem = '{schema}';
