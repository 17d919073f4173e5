-- What outlives sessions: memos, and the pieces of memory files. No row of them belongs to a session.

CREATE TABLE llm_memos (
    row_id     INTEGER NOT NULL PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    content    TEXT    NOT NULL,
    -- In their one form, between spaces.
    tags       TEXT    NOT NULL,
    -- NULL: about no folder in particular.
    workspace  TEXT,
    digest     INTEGER NOT NULL,
    session_id TEXT,
    exchange   INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX llm_memos_by_digest ON llm_memos (digest);
CREATE INDEX llm_memos_by_change ON llm_memos (updated_at DESC, id);
CREATE INDEX llm_memos_by_session ON llm_memos (session_id, exchange);

CREATE TABLE memory_files (
    row_id    INTEGER NOT NULL PRIMARY KEY,
    path      TEXT    NOT NULL UNIQUE,
    name      TEXT    NOT NULL,
    -- NULL: the user's own, for every folder.
    workspace TEXT,
    stamp     TEXT    NOT NULL
) STRICT;

CREATE TABLE memory_chunks (
    row_id     INTEGER NOT NULL PRIMARY KEY,
    file       INTEGER NOT NULL REFERENCES memory_files (row_id) ON DELETE CASCADE,
    first_line INTEGER NOT NULL,
    last_line  INTEGER NOT NULL,
    content    TEXT    NOT NULL
) STRICT;

CREATE INDEX memory_chunks_by_file ON memory_chunks (file);

-- The words that memos (even rowids, twice their row_id) and chunks (odd ones) are found by. The texts are split into
-- words before they come here; only spaces stand between words.
CREATE VIRTUAL TABLE memory_fts USING fts5 (
    words,
    tags,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
);

-- What is deleted leaves nothing in the index.
INSERT INTO memory_fts (memory_fts, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER llm_memos_deleted AFTER DELETE ON llm_memos BEGIN
    DELETE FROM memory_fts WHERE rowid = old.row_id * 2;
END;

CREATE TRIGGER memory_chunks_deleted AFTER DELETE ON memory_chunks BEGIN
    DELETE FROM memory_fts WHERE rowid = old.row_id * 2 + 1;
END;
