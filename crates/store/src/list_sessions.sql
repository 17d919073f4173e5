SELECT
    s.id,
    s.title,
    s.workspace,
    s.model,
    s.created_at,
    newest.seq AS records,
    newest.exchange AS exchanges,
    -- The clock was set back where the last record is older than its session; else it is the newest one.
    CASE
        WHEN newest.at < s.created_at THEN (SELECT max(at) FROM log WHERE session_id = s.id)
        ELSE newest.at
    END AS last_activity,
    parents.parent_id AS parent,
    (SELECT count(*) FROM log WHERE session_id = s.id AND kind = 'receipt') AS requests,
    (
        SELECT payload FROM log WHERE session_id = s.id AND kind = 'receipt' ORDER BY seq DESC LIMIT 1
    ) AS receipt
FROM sessions AS s
LEFT JOIN session_parents AS parents ON parents.session_id = s.id
LEFT JOIN log AS newest
    ON newest.session_id = s.id AND newest.seq = (SELECT max(seq) FROM log WHERE session_id = s.id)
WHERE s.id = ?1 OR ?1 IS NULL
ORDER BY s.written DESC, coalesce(newest.at, s.created_at) DESC, s.id
