-- One text for SQLite and PostgreSQL: BIGINT and TEXT only, times in seconds since 1970.
--
-- Adds only. A node of the version before does not write it; a reader reloads every key after a change of such a node.

-- A random id of each revision, written with it. After a return to an older state the revision numbers come again, but not their ids, so a
-- reader sees that other changes belong to the numbers. Holds the last revisions only.
CREATE TABLE revision_ids (
    number BIGINT PRIMARY KEY,
    id BIGINT NOT NULL
);
