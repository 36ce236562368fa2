-- One text for SQLite and PostgreSQL: BIGINT and TEXT only.
--
-- Adds only. A node of the version before, still running beside this one, names the columns that it writes and reads: its
-- rows get the default, it never looks at the mark, and gives back what it holds when nobody calls, as it always did.

-- When a node last waited for calls of this row that others hold, in milliseconds since 1970; they then give back what they
-- can spare. 0 where none ever did. Beside this, `leased` may be above what the plan allows by the calls that were served on
-- credit while the database was away.
ALTER TABLE bundles ADD COLUMN wanted_at BIGINT NOT NULL DEFAULT 0;

CREATE INDEX bundles_wanted ON bundles (wanted_at) WHERE wanted_at > 0;
