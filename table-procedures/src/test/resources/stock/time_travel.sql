-- Old snapshots, by id, by time, by reference; metadata tables; changes between snapshots; roll back.
CREATE TABLE events (id bigint, name varchar);
INSERT INTO events VALUES (1, 'one');
INSERT INTO events VALUES (2, 'two');
DELETE FROM events WHERE id = 1;
UPDATE events SET name = 'zwei';
SELECT * FROM events FOR VERSION AS OF {snapshot events 2};
SELECT * FROM events FOR VERSION AS OF {snapshot events 3};
SELECT * FROM events FOR TIMESTAMP AS OF {time events 3};
-- empty
SELECT * FROM events FOR TIMESTAMP AS OF {time events 1};
-- fails: INVALID_ARGUMENTS
SELECT * FROM events FOR TIMESTAMP AS OF TIMESTAMP '2001-01-01 00:00:00 UTC';
-- fails: INVALID_ARGUMENTS
SELECT * FROM events FOR VERSION AS OF BIGINT '5';
-- fails: NOT_SUPPORTED
SELECT * FROM events FOR VERSION AS OF 5;
-- fails: INVALID_ARGUMENTS
SELECT * FROM events FOR VERSION AS OF 'nobranch';
-- fails: NOT_SUPPORTED
SELECT * FROM events FOR VERSION AS OF 1.5;
SELECT snapshot_id, parent_id, is_current_ancestor FROM "events$history" ORDER BY made_current_at;
SELECT snapshot_id, parent_id, operation, summary FROM "events$snapshots" ORDER BY committed_at;
SELECT name, type, snapshot_id, max_reference_age_in_ms FROM "events$refs";
SELECT content, record_count FROM "events$files" ORDER BY content, record_count;
SELECT content, added_snapshot_id, added_rows_count FROM "events$manifests";
SELECT status, snapshot_id, sequence_number, file_sequence_number, data_file.content, data_file.record_count FROM "events$entries" ORDER BY file_sequence_number, status, data_file.content;
SELECT status, snapshot_id, sequence_number FROM "events$all_entries" ORDER BY 3, 1, 2;
SELECT content, added_data_files_count, added_delete_files_count FROM "events$all_manifests";
SELECT * FROM "events$properties";
SELECT latest_schema_id, latest_sequence_number FROM "events$metadata_log_entries" ORDER BY timestamp;
SELECT record_count, file_count, data FROM "events$partitions";
SELECT "$path", "$partition", "$file_modified_time", id FROM events;
-- fails: TABLE_NOT_FOUND
SELECT * FROM "events$nothing";
SELECT id, name, _change_type, _change_version_id, _change_timestamp, _change_ordinal
FROM TABLE(system.table_changes(CURRENT_SCHEMA, 'events', {snapshot events 1}, {snapshot events 3}));
-- fails: INVALID_FUNCTION_ARGUMENT
SELECT * FROM TABLE(system.table_changes(CURRENT_SCHEMA, 'events', 5, 6));
-- fails: INVALID_FUNCTION_ARGUMENT
SELECT * FROM TABLE(system.table_changes(CURRENT_SCHEMA, 'events', {snapshot events 3}, {snapshot events 1}));
CALL system.rollback_to_snapshot(CURRENT_SCHEMA, 'events', {snapshot events 3});
SELECT * FROM events;
ALTER TABLE events EXECUTE rollback_to_snapshot({snapshot events 2});
SELECT * FROM events;
SELECT snapshot_id, parent_id, is_current_ancestor FROM "events$history" ORDER BY made_current_at;
-- fails: GENERIC_INTERNAL_ERROR
ALTER TABLE events EXECUTE rollback_to_snapshot(5);
INSERT INTO events VALUES (9, 'after');
SELECT * FROM events;
