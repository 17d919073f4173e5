-- The records of a fork that are copies were written before it was made. The clock may have been set back behind them, so its own begin
-- with the first record that is not older than the session.
coalesce(
    (
        SELECT own.seq - 1 FROM log AS own
        WHERE own.session_id = s.id AND own.at >= s.created_at ORDER BY own.seq LIMIT 1
    ),
    (SELECT max(copied.seq) FROM log AS copied WHERE copied.session_id = s.id),
    0
)
