-- The first tables. Everything belongs to a session and goes with it.

CREATE TABLE sessions (
    id         TEXT    NOT NULL PRIMARY KEY,
    title      TEXT    NOT NULL,
    workspace  TEXT    NOT NULL,
    model      TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE log (
    session_id TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL CHECK (seq > 0),
    kind       TEXT    NOT NULL,
    exchange   INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    digest     INTEGER NOT NULL,
    payload    TEXT    NOT NULL,
    PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX log_by_kind ON log (session_id, kind, seq);

CREATE TABLE tool_result_blobs (
    id         TEXT    NOT NULL,
    session_id TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    tool_name  TEXT    NOT NULL,
    content    BLOB    NOT NULL,
    byte_size  INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (id, session_id)
) STRICT;

CREATE INDEX tool_result_blobs_by_session ON tool_result_blobs (session_id, created_at, id);

CREATE TABLE session_snapshots (
    session_id  TEXT    NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    covers      INTEGER NOT NULL,
    epoch       INTEGER NOT NULL,
    messages    TEXT    NOT NULL,
    token_count INTEGER NOT NULL,
    digest      INTEGER NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT;
