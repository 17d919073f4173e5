-- Where each session's log ends, and which session was written last. Both are columns and not answers of `log`, so that
-- records that are lost at its end are noticed, and a clock that was set back changes nothing.

-- NULL: unknown.
ALTER TABLE sessions ADD COLUMN last_seq INTEGER;
-- The same with the other sign. If they differ, both are damaged.
ALTER TABLE sessions ADD COLUMN last_check INTEGER;
-- Grows whenever another session than before is written.
ALTER TABLE sessions ADD COLUMN written INTEGER NOT NULL DEFAULT 0;

CREATE INDEX sessions_by_writing ON sessions (written);

CREATE TRIGGER sessions_created AFTER INSERT ON sessions BEGIN
    UPDATE sessions
    SET written = (SELECT max(written) FROM sessions) + 1
    WHERE id = new.id;
END;

CREATE TRIGGER log_appended AFTER INSERT ON log BEGIN
    UPDATE sessions
    SET last_seq = max(coalesce(last_seq, 0), new.seq),
        last_check = -max(coalesce(last_seq, 0), new.seq)
    WHERE id = new.session_id;
    UPDATE sessions
    SET written = (SELECT max(written) FROM sessions) + 1
    WHERE id = new.session_id AND written < (SELECT max(written) FROM sessions);
END;
