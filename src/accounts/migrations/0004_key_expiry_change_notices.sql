-- One text for SQLite and PostgreSQL: BIGINT and TEXT only, times in seconds since 1970.
--
-- Adds only. A node of the version before reads neither: it accepts a rotated key until it is upgraded, and sends no notice of
-- a change.

-- When a rotated key ends by itself; null if it does not.
ALTER TABLE keys ADD COLUMN expires_at BIGINT;

-- The outbox of notices about a change of an account. A row is written in the transaction of the change, and deleted once the
-- message is sent, because it holds e-mail addresses.
CREATE TABLE change_notices (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    recipient TEXT NOT NULL,
    -- key_rotated or email_changed.
    kind TEXT NOT NULL,
    -- Both keys masked, or both e-mail addresses.
    old_value TEXT NOT NULL,
    new_value TEXT NOT NULL,
    -- When the old key ends; null if no key is concerned.
    expires_at BIGINT,
    created_at BIGINT NOT NULL,
    -- No attempt before this: another node is sending it, or the mail server was unreachable.
    not_before BIGINT NOT NULL,
    -- No attempt from this time on.
    give_up_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL
);

CREATE INDEX change_notices_to_send ON change_notices (not_before);
