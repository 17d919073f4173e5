FROM sessions AS s
JOIN log AS newest
    ON newest.session_id = s.id AND newest.seq = (SELECT max(seq) FROM log WHERE session_id = s.id)
WHERE
    (s.id = ?1 OR (?1 IS NULL AND s.id NOT IN (SELECT session_id FROM session_parents)))
    -- The clock was set back where the last record is older than its session; else it is the newest one.
    AND CASE
        WHEN newest.at < s.created_at
            THEN EXISTS (SELECT 1 FROM log AS newer WHERE newer.session_id = s.id AND newer.at >= ?2)
        ELSE newest.at >= ?2
    END
ORDER BY s.id
