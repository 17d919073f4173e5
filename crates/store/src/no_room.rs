//! Recognizes a disk, a quota or a limit that leaves no room, whichever error SQLite makes of it.
//!
//! SQLite reports a full disk as such only for writes to its own files. The same disk fails a file's extension, a sync or
//! the shared memory of the write-ahead log as an input/output error, and so does a limit on the size of files. The
//! operating system's error is not passed on, so it is asked again with a file of the same size in the same folder.

use std::fs::{self, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::no_room_error::is_no_room;

/// What is written to find out whether there is room: as much as a commit needs.
static PROBE: [u8; 64 * 1024] = [0; 64 * 1024];

/// Why a database cannot grow; `None`: for all that is known, it could.
pub(crate) fn no_room(database: &Path) -> Option<io::Error> {
    let name = format!(".throughline-room-{}", std::process::id());
    let probe = database.with_file_name(name);
    let written = write(&probe, size(database).max(size(&database.with_extension("db-wal"))));
    // It may not exist.
    let _ = fs::remove_file(&probe);
    written.err().filter(is_no_room)
}

fn size(path: &Path) -> u64 {
    path.metadata().map_or(0, |found| found.len())
}

/// Writes the last bytes of a file as large as the database. The rest is a hole, which takes no room.
fn write(probe: &Path, size: u64) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(probe)?;
    file.seek(SeekFrom::Start(size))?;
    file.write_all(&PROBE)?;
    file.sync_all()
}
