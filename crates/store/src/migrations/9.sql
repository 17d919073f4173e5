-- 9
-- The sessions of sub-agents: whose they are.

-- No row: the session is a user's own. A parent that does not exist any more makes it one, too.
CREATE TABLE session_parents (
    session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    parent_id  TEXT NOT NULL,
    -- The kind of sub-agent, and the call that began it.
    kind       TEXT NOT NULL,
    call_id    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_parents_by_parent ON session_parents (parent_id);
