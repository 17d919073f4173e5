-- The contexts that were restored to agents, by the last record that each covers.

CREATE TABLE session_contexts (
    session_id TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    covers     INTEGER NOT NULL,
    source     TEXT    NOT NULL,
    worker     TEXT    NOT NULL,
    context    TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, covers)
) STRICT, WITHOUT ROWID;
