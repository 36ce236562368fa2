-- One text for SQLite and PostgreSQL: BIGINT and TEXT only, times in seconds since 1970.

CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    plan TEXT NOT NULL,
    -- The numbers of an enterprise account; null where the plan's name says them.
    calls_per_month BIGINT,
    calls_per_second BIGINT,
    bulk_max BIGINT,
    created_at BIGINT NOT NULL,
    closed_at BIGINT
);

-- One open account for an address; it may come back once the old account is closed.
CREATE UNIQUE INDEX open_account_by_email ON accounts (email) WHERE closed_at IS NULL;

CREATE TABLE keys (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
    -- SHA-256 of the key in hexadecimal. The key itself is nowhere.
    digest TEXT NOT NULL UNIQUE,
    last_four TEXT NOT NULL,
    read_only BIGINT NOT NULL CHECK (read_only IN (0, 1)),
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    -- The revision that last changed what the key opens, be it by its account.
    revision BIGINT NOT NULL
);

CREATE INDEX keys_by_account ON keys (account_id);
CREATE INDEX keys_by_revision ON keys (revision);

-- Raised by every change to accounts or keys, in the same transaction: readers poll it, writers queue on it, so a reader that
-- has seen number n has seen every change up to n.
CREATE TABLE revision (
    only_row BIGINT PRIMARY KEY CHECK (only_row = 1),
    number BIGINT NOT NULL
);

INSERT INTO revision (only_row, number) VALUES (1, 0);
