//! What a query may take.

use std::time::Duration;

/// Maximum bytes that SQLite may hold in this process, in all its databases.
///
/// SQLite knows such a limit for the process alone. Hostile statements were seen to pile up 410 MB until the
/// deadline; a faster machine may do more. This leaves as much again for the copies and for other databases.
pub(crate) const HEAP_LIMIT: u64 = 768 * 1024 * 1024;

/// Bytes of copies that are kept between calls. The copy in use is kept, whatever its size.
pub(crate) const COPY_BYTES: usize = 192 * 1024 * 1024;

/// Sessions whose copies are kept between calls.
pub(crate) const COPIES: usize = 4;

/// How long the caller waits after the deadline for the query to stop by itself.
pub(crate) const GRACE: Duration = Duration::from_millis(400);

/// What a query may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How long it may run. Bringing the copy up to date does not count.
    pub deadline: Duration,
    /// Rows that are given out.
    pub rows: usize,
    /// Bytes of text that are given out of one cell, and about as many of all: a row that goes beyond is the last.
    pub bytes: usize,
}

impl Default for Limits {
    /// 800 ms, 200 rows, 32 KiB.
    fn default() -> Self {
        Self { deadline: Duration::from_millis(800), rows: 200, bytes: 32 * 1024 }
    }
}
