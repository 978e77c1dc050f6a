-- The Iceberg connector of Trino 483 has no branches: every statement is refused as there, and writes nothing.
CREATE TABLE items (id bigint, name varchar);
INSERT INTO items VALUES (1, 'one');
-- fails: NOT_SUPPORTED
CREATE BRANCH audit IN TABLE items;
-- fails: NOT_SUPPORTED
CREATE BRANCH IF NOT EXISTS audit IN TABLE items;
-- empty
SHOW BRANCHES IN TABLE items;
-- fails: BRANCH_NOT_FOUND
INSERT INTO items @ audit VALUES (2, 'two');
-- fails: BRANCH_NOT_FOUND
UPDATE items @ audit SET name = 'ONE' WHERE id = 1;
-- fails: BRANCH_NOT_FOUND
DELETE FROM items @ audit WHERE id = 77;
-- fails: BRANCH_NOT_FOUND
ALTER BRANCH main IN TABLE items FAST FORWARD TO audit;
-- fails: BRANCH_NOT_FOUND
DROP BRANCH audit IN TABLE items;
SELECT * FROM items FOR VERSION AS OF 'main';
SELECT name, type, snapshot_id FROM "items$refs";
SELECT * FROM items;
