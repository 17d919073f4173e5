DELETE FROM tool_result_blobs WHERE session_id NOT IN (SELECT id FROM sessions);
DELETE FROM session_snapshots WHERE session_id NOT IN (SELECT id FROM sessions);
-- The objects are those of the original, too.
DELETE FROM loose_objects;
COMMIT;
