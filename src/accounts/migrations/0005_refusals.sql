-- One text for SQLite and PostgreSQL: BIGINT and TEXT only, times in seconds since 1970.
--
-- Adds only. A node of the version before does not write it, so refusals of that node are missing.

-- Refused requests, summed up: a row for each key, day, endpoint and reason, so a flood of them stays a few rows.
CREATE TABLE refusals (
    key_id TEXT NOT NULL REFERENCES keys (id),
    -- Such as 2026-11-21, in UTC.
    day TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    -- The error code of the HTTP interface, such as rate_limit_exceeded.
    reason TEXT NOT NULL,
    status BIGINT NOT NULL,
    requests BIGINT NOT NULL,
    -- The last of them.
    last_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, day, endpoint, reason, status)
);

CREATE INDEX refusals_by_day ON refusals (day);
