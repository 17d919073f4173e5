SELECT session_id, seq, kind, exchange, at, digest, payload
FROM log
WHERE
    session_id = ?1
    AND seq > ?2
    -- Without the index of kinds: that would sort what is left for each page.
    AND +kind IN ('model', 'receipt', 'spent')
    AND (kind = 'model' OR (at >= ?3 AND seq > ?5))
ORDER BY seq
LIMIT ?4
