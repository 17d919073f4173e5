-- Takes the leases of these sessions that are free, or have expired. Returns the sessions and tokens of those that were taken.
-- $1 the sessions, as JSON, $2 the program, $3 the process, $4 the host, $5 for how many seconds.
INSERT INTO session_leases AS lease
    (session_id, token, program, process, host, since, expires, backend, backend_start)
SELECT
    wanted.session_id,
    nextval('session_lease_tokens'),
    $2,
    $3,
    $4,
    clock_timestamp(),
    clock_timestamp() + $5 * interval '1 second',
    pg_backend_pid(),
    (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
FROM json_array_elements_text($1::json) AS wanted (session_id)
-- A valid lease is not locked, because its holder may be writing.
WHERE NOT EXISTS (
    SELECT 1 FROM session_leases AS other
    WHERE other.session_id = wanted.session_id AND other.expires >= clock_timestamp()
)
ORDER BY wanted.session_id
ON CONFLICT (session_id) DO UPDATE SET
    token = excluded.token,
    program = excluded.program,
    process = excluded.process,
    host = excluded.host,
    since = excluded.since,
    expires = excluded.expires,
    backend = excluded.backend,
    backend_start = excluded.backend_start
WHERE lease.expires < clock_timestamp()
RETURNING session_id, token
