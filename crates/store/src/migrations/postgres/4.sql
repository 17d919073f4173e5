-- Every note of an object has another time than the note before it. A removal that has read the older note recognises by the
-- time that the object was noted again, also if both deletions were made in the same microsecond.

CREATE OR REPLACE FUNCTION result_object_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO loose_objects (address, since, removing)
    SELECT gone.object, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 1
    FROM (SELECT DISTINCT object FROM deleted WHERE object IS NOT NULL) AS gone
    ORDER BY gone.object
    ON CONFLICT (address) DO UPDATE SET since = greatest(excluded.since, loose_objects.since + 1), removing = 1;
    RETURN NULL;
END $$;
