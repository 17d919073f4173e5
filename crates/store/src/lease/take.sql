-- Takes a lease that is free, or has expired. $1 the session, $2 the program, $3 the process, $4 the host, $5 for how many
-- seconds.
INSERT INTO session_leases AS lease
    (session_id, token, program, process, host, since, expires, backend, backend_start)
SELECT
    $1,
    nextval('session_lease_tokens'),
    $2,
    $3,
    $4,
    clock_timestamp(),
    clock_timestamp() + $5 * interval '1 second',
    pg_backend_pid(),
    (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
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
RETURNING token
