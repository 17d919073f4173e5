-- 10
-- The log with row numbers. SQLite reads a row of a table without them whole for each comparison of a key; records are too large
-- for that.

DROP TRIGGER log_appended;

CREATE TABLE log_rows (
    session_id TEXT    NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL CHECK (seq > 0),
    kind       TEXT    NOT NULL,
    exchange   INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    digest     INTEGER NOT NULL,
    payload    TEXT    NOT NULL,
    PRIMARY KEY (session_id, seq)
) STRICT;

INSERT INTO log_rows (session_id, seq, kind, exchange, at, digest, payload)
SELECT session_id, seq, kind, exchange, at, digest, payload FROM log ORDER BY session_id, seq;

-- Views name the table that takes its place.
PRAGMA legacy_alter_table = ON;
DROP TABLE log;
ALTER TABLE log_rows RENAME TO log;
PRAGMA legacy_alter_table = OFF;
CREATE INDEX log_by_kind ON log (session_id, kind, seq);

-- The trigger of the fourth change.
CREATE TRIGGER log_appended AFTER INSERT ON log BEGIN
    UPDATE sessions
    SET last_seq = max(coalesce(last_seq, 0), new.seq),
        last_check = -max(coalesce(last_seq, 0), new.seq)
    WHERE id = new.session_id;
    UPDATE sessions
    SET written = (SELECT max(written) FROM sessions) + 1
    WHERE id = new.session_id AND written < (SELECT max(written) FROM sessions);
END;
