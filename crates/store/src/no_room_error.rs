//! Recognizes an error of the operating system that says that there is no room.

use std::io::{self, ErrorKind};

/// Returns true if a disk, a quota or a limit on the size of files leaves no room for what was written.
pub(crate) fn is_no_room(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}
