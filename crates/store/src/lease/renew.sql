-- Renews leases, also those that have expired and that no process has taken. One whose row a transaction has locked at this moment
-- is left for later, because waiting for it would delay the others. Returns the sessions whose leases still have these tokens, and
-- whether each was renewed. $1 the sessions with their tokens, as JSON, $2 for how many seconds.
WITH held AS (
    SELECT one.session_id, one.token
    FROM json_to_recordset($1::json) AS one (session_id text, token bigint)
),

unlocked AS (
    SELECT lease.session_id
    FROM session_leases AS lease
    INNER JOIN held ON lease.session_id = held.session_id AND lease.token = held.token
    FOR NO KEY UPDATE OF lease SKIP LOCKED
),

renewed AS (
    UPDATE session_leases
    SET
        expires = clock_timestamp() + $2 * interval '1 second',
        backend = pg_backend_pid(),
        backend_start = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid())
    WHERE session_id IN (SELECT session_id FROM unlocked)
    RETURNING session_id
)

SELECT
    lease.session_id,
    lease.session_id IN (SELECT session_id FROM renewed)
FROM session_leases AS lease
INNER JOIN held ON lease.session_id = held.session_id AND lease.token = held.token
