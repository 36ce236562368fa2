-- One text for SQLite and PostgreSQL: BIGINT and TEXT only, times in seconds since 1970.
--
-- Only adds a table. Nodes of the previous version do not write to it; after a change by such a node, readers load all keys again. The table
-- may exist already, with ids of another history, after pg_restore of a copy from before this migration.

-- A random id for each of the last revisions, written with it. A restored older copy uses revision numbers again, but not their ids, so a
-- reader can detect that its history differs.
CREATE TABLE IF NOT EXISTS revision_ids (
    number BIGINT PRIMARY KEY,
    id BIGINT NOT NULL
);

DELETE FROM revision_ids;
