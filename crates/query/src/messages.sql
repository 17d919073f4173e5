PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA page_size = 8192;
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    group_id INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    tool_name TEXT,
    tool_call_id TEXT,
    is_error INTEGER NOT NULL,
    content TEXT NOT NULL,
    model TEXT,
    tokens INTEGER,
    created_at INTEGER NOT NULL
);
