-- The objects of deleted rows are noted by one statement for all rows, in the order of their addresses. Two deletions that
-- share objects lock them in the same order then, and none waits for the other in a circle.

DROP TRIGGER result_object_deleted ON tool_result_blobs;

CREATE OR REPLACE FUNCTION result_object_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO loose_objects (address, since, removing)
    SELECT gone.object, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 1
    FROM (SELECT DISTINCT object FROM deleted WHERE object IS NOT NULL) AS gone
    ORDER BY gone.object
    ON CONFLICT (address) DO UPDATE SET since = excluded.since, removing = 1;
    RETURN NULL;
END $$;

CREATE TRIGGER result_object_deleted AFTER DELETE ON tool_result_blobs
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION result_object_deleted();
