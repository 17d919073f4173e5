//! The moment at which a query must stop.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Shared by what runs a query and by what must stop it. Outside a query it is empty.
#[derive(Debug, Clone, Default)]
pub(crate) struct Deadline(Arc<Mutex<Option<Instant>>>);

impl Deadline {
    /// Starts the time of one query.
    pub(crate) fn start(&self, time: Duration) {
        self.set(Instant::now().checked_add(time));
    }

    /// No query runs.
    pub(crate) fn clear(&self) {
        self.set(None);
    }

    /// Returns true if the query must stop.
    pub(crate) fn is_over(&self) -> bool {
        let end = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        end.is_some_and(|end| Instant::now() > end)
    }

    fn set(&self, end: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = end;
    }
}
