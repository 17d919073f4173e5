SELECT session_id, seq, kind, exchange, at, digest, payload
FROM log
WHERE
    session_id IN (
        SELECT s.id
        FROM sessions AS s
        WHERE
            (?1 IS NULL OR s.id = ?1)
            AND (SELECT newest.at FROM log AS newest WHERE newest.session_id = s.id ORDER BY newest.seq DESC LIMIT 1) >= ?2
    )
    AND kind IN ('model', 'receipt', 'spent')
    AND (kind = 'model' OR at >= ?2)
    AND (session_id, seq) > (?3, ?4)
ORDER BY session_id, seq
LIMIT ?5
