-- One text for SQLite and PostgreSQL: BIGINT and TEXT only, times in seconds since 1970.

-- Origins and networks that a key is bound to, parted by spaces; empty where it is not.
ALTER TABLE keys ADD COLUMN origins TEXT NOT NULL DEFAULT '';
ALTER TABLE keys ADD COLUMN networks TEXT NOT NULL DEFAULT '';
-- Calls a minute from one address; null where only the plan limits it.
ALTER TABLE keys ADD COLUMN per_address_per_minute BIGINT;

-- The calls of one account in one billing period.
CREATE TABLE bundles (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    period_start BIGINT NOT NULL,
    -- Handed out to nodes, used or not; never above what the plan allows.
    leased BIGINT NOT NULL,
    -- Used, as the nodes report it every second.
    used BIGINT NOT NULL,
    PRIMARY KEY (account_id, period_start)
);

-- What the raw request log leaves behind when it is thrown away.
CREATE TABLE usage (
    key_id TEXT NOT NULL REFERENCES keys (id),
    -- Such as 2026-11-21, in UTC.
    day TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    -- 2, 4 or 5.
    status_class BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    -- Calls that were taken from the bundle: one for each line of a bulk request, none where a request does not count.
    lines BIGINT NOT NULL,
    PRIMARY KEY (key_id, day, endpoint, status_class)
);

CREATE INDEX usage_by_day ON usage (day);

-- The outbox: a row is written in the transaction that sees the threshold passed, so each notice exists once per period.
CREATE TABLE notices (
    account_id TEXT NOT NULL REFERENCES accounts (id),
    period_start BIGINT NOT NULL,
    -- 80 or 100.
    percent BIGINT NOT NULL,
    period_end BIGINT NOT NULL,
    bundle BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    -- Nobody tries before this: another node is sending it, or the mail server was away.
    not_before BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    sent_at BIGINT,
    PRIMARY KEY (account_id, period_start, percent)
);

CREATE INDEX notices_to_send ON notices (not_before) WHERE sent_at IS NULL;
