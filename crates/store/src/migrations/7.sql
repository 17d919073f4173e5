-- 7
-- Contents of results outside the database, in an object store.

-- The address of the object that has the content; the content is empty then. NULL: the content is here.
ALTER TABLE tool_result_blobs ADD COLUMN object TEXT;

CREATE INDEX tool_result_blobs_by_object ON tool_result_blobs (object) WHERE object IS NOT NULL;

-- Objects that no result may have: those that are being written, and those to be removed.
CREATE TABLE loose_objects (
    address  TEXT    NOT NULL PRIMARY KEY,
    -- Microseconds since the Unix epoch.
    since    INTEGER NOT NULL,
    -- 0: it is being written, and no result has it yet.
    removing INTEGER NOT NULL CHECK (removing IN (0, 1))
) STRICT;

CREATE TRIGGER result_object_deleted AFTER DELETE ON tool_result_blobs WHEN old.object IS NOT NULL BEGIN
    INSERT INTO loose_objects (address, since, removing)
    VALUES (old.object, CAST(unixepoch('subsec') * 1000000 AS INTEGER), 1)
    ON CONFLICT (address) DO UPDATE SET since = excluded.since, removing = 1;
END;
