-- Who has the leases of sessions: the session, the program, the process, the host, since when in milliseconds since the Unix
-- epoch, the token, whether it is valid, and whether the connection that renews it exists. $1 the sessions, as JSON.
SELECT
    session_id,
    program,
    process,
    host,
    (extract(EPOCH FROM since) * 1000)::bigint,
    token,
    expires > clock_timestamp(),
    EXISTS (
        SELECT 1 FROM pg_stat_activity AS other
        WHERE
            other.pid = lease.backend
            AND (other.backend_start = lease.backend_start OR other.backend_start IS NULL)
    )
FROM session_leases AS lease
WHERE session_id IN (SELECT json_array_elements_text($1::json))
