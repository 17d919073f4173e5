-- The key that contexts, results and snapshots are encrypted with. No row: none was ever encrypted.

CREATE TABLE encryption (
    one    INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    -- A part of a digest of the key, from which the key does not follow.
    key_id TEXT    NOT NULL
) STRICT;
