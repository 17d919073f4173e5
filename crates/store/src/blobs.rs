//! Where large contents go.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use throughline_resultstore::BlobStore;

/// How long an object store that failed is not written to.
const REST: Duration = Duration::from_secs(30);

/// Where large contents go.
#[derive(Debug)]
pub(crate) struct Blobs {
    pub(crate) store: Arc<dyn BlobStore>,
    /// Contents of more bytes go there.
    from: u64,
    /// The last failure of a write.
    failed: Mutex<Option<Instant>>,
}

impl Blobs {
    pub(crate) fn new(store: Arc<dyn BlobStore>, from: u64) -> Self {
        Self { store, from, failed: Mutex::new(None) }
    }

    /// Returns true if a content of this length goes to the object store.
    pub(crate) fn takes(&self, length: usize) -> bool {
        let rests = || {
            let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            failed.is_some_and(|at| at.elapsed() < REST)
        };
        length as u64 > self.from && !rests()
    }

    /// Notes a failed write.
    pub(crate) fn rest(&self) {
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }
}
