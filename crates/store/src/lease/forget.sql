-- Removes leases that expired long ago, and whose holders have no connection any more. $1 for how many seconds they are expired.
DELETE FROM session_leases
WHERE session_id IN (
    SELECT session_id
    FROM session_leases AS lease
    WHERE
        expires < clock_timestamp() - $1 * interval '1 second'
        AND NOT EXISTS (
            SELECT 1 FROM pg_stat_activity AS other
            WHERE
                other.pid = lease.backend
                AND (other.backend_start = lease.backend_start OR other.backend_start IS NULL)
        )
    -- One that is being taken or used stays.
    FOR UPDATE SKIP LOCKED
)
