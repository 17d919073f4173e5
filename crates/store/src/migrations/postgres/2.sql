-- Contents of results outside the database, in an object store: what the seventh change of SQLite's tables makes.

-- The address of the object that has the content; the content is empty then. NULL: the content is here.
ALTER TABLE tool_result_blobs ADD COLUMN object TEXT COLLATE "C";

CREATE INDEX tool_result_blobs_by_object ON tool_result_blobs (object) WHERE object IS NOT NULL;

-- Objects that no result may have: those that are being written, and those to be removed.
CREATE TABLE loose_objects (
    address  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    -- Microseconds since the Unix epoch.
    since    BIGINT NOT NULL,
    -- 0: it is being written, and no result has it yet.
    removing BIGINT NOT NULL CHECK (removing IN (0, 1))
);

CREATE FUNCTION result_object_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO loose_objects (address, since, removing)
    VALUES (old.object, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, 1)
    ON CONFLICT (address) DO UPDATE SET since = excluded.since, removing = 1;
    RETURN NULL;
END $$;

CREATE TRIGGER result_object_deleted AFTER DELETE ON tool_result_blobs
    FOR EACH ROW WHEN (old.object IS NOT NULL) EXECUTE FUNCTION result_object_deleted();
