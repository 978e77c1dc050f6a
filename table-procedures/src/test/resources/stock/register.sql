CREATE TABLE kept (id bigint, name varchar) WITH (location = 'local:///places/{schema}/kept');
INSERT INTO kept VALUES (1, 'one');
CALL system.unregister_table(CURRENT_SCHEMA, 'kept');
-- fails: TABLE_NOT_FOUND
SELECT * FROM kept;
CALL system.register_table(CURRENT_SCHEMA, 'again', 'local:///places/{schema}/kept');
SELECT * FROM again;
INSERT INTO again VALUES (2, 'two');
SELECT * FROM again;
SHOW CREATE TABLE again;
-- fails: ICEBERG_INVALID_METADATA
CALL system.register_table(CURRENT_SCHEMA, 'other', 'local:///places/{schema}/nothing');
-- fails: INVALID_PROCEDURE_ARGUMENT
CALL system.register_table(CURRENT_SCHEMA, 'other', 'local:///places/{schema}/kept', 'nothing.metadata.json');
-- fails: SCHEMA_NOT_FOUND
CALL system.register_table('no_schema', 'other', 'local:///places/{schema}/kept');
-- fails: NOT_FOUND
CALL system.unregister_table(CURRENT_SCHEMA, 'nothing');
-- fails: PROCEDURE_NOT_FOUND
CALL system.nothing();
ALTER TABLE again RENAME TO renamed;
SELECT * FROM renamed;
DROP TABLE renamed;
-- fails: TABLE_NOT_FOUND
DROP TABLE renamed;
DROP TABLE IF EXISTS renamed;
CREATE TABLE last_one (id bigint);
