CREATE TABLE items (id bigint, name varchar);
INSERT INTO items VALUES (1, 'one');
CREATE BRANCH audit IN TABLE items;
-- fails: BRANCH_ALREADY_EXISTS
CREATE BRANCH audit IN TABLE items;
CREATE BRANCH IF NOT EXISTS audit IN TABLE items;
SHOW BRANCHES IN TABLE items;
INSERT INTO items @ audit VALUES (2, 'two');
UPDATE items @ audit SET name = 'ONE' WHERE id = 1;
DELETE FROM items @ audit WHERE id = 77;
MERGE INTO items @ audit t USING (VALUES (3, 'three')) s(id, name) ON t.id = s.id WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.name);
SELECT * FROM items;
SELECT * FROM items FOR VERSION AS OF 'audit';
SELECT name, type, snapshot_id FROM "items$refs";
-- fails: BRANCH_NOT_FOUND
INSERT INTO items @ nowhere VALUES (2, 'two');
-- fails: BRANCH_NOT_FOUND
ALTER BRANCH main IN TABLE items FAST FORWARD TO nowhere;
CREATE BRANCH second IN TABLE items FROM audit;
ALTER BRANCH main IN TABLE items FAST FORWARD TO audit;
SELECT * FROM items;
DROP BRANCH audit IN TABLE items;
SHOW BRANCHES IN TABLE items;
-- fails: BRANCH_NOT_FOUND
DROP BRANCH audit IN TABLE items;
SELECT operation, summary FROM "items$snapshots" ORDER BY committed_at;
