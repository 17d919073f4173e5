-- Renews a lease, also one that has expired and that no process has taken. $1 the session, $2 the token, $3 for how many
-- seconds.
UPDATE session_leases
SET
    expires = clock_timestamp() + $3 * interval '1 second',
    backend = pg_backend_pid(),
    backend_start = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
WHERE session_id = $1 AND token = $2
