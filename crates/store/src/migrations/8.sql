-- 8
-- The users of `throughline serve`: their tokens, the sessions that they made, and what they changed.

CREATE TABLE user_tokens (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    rights     TEXT    NOT NULL,
    -- A JSON array of paths; empty: all folders.
    folders    TEXT    NOT NULL,
    -- SHA-256 of the secret, in hexadecimal digits. The secret has 256 random bits, so a fast hash is enough.
    digest     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    -- NULL: it does not expire.
    expires_at INTEGER,
    -- NULL: it is not revoked.
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX user_tokens_by_name ON user_tokens (name);

-- The user that made a session. No row: it was made without a user's token.
CREATE TABLE session_owners (
    session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    owner      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The changing requests, which outlive the sessions that they changed.
CREATE TABLE audit_log (
    id         INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    method     TEXT    NOT NULL,
    path       TEXT    NOT NULL,
    session_id TEXT,
    -- NULL: the client was gone before the answer.
    status     INTEGER,
    -- The address of the other end of the connection, and the one that a proxy has named.
    remote     TEXT    NOT NULL,
    forwarded  TEXT
) STRICT;

CREATE INDEX audit_log_by_time ON audit_log (at);
