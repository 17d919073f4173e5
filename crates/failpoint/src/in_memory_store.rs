//! The common part of in-memory stores.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::fail_point::FailPoint;

/// A store that holds its state until its last clone is dropped, with a [`FailPoint`]. Crates implement their ports on it.
#[derive(Debug, Default)]
pub struct InMemoryStore<T> {
    state: Arc<Mutex<T>>,
    failures: FailPoint,
}

impl<T> Clone for InMemoryStore<T> {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state), failures: self.failures.clone() }
    }
}

impl<T: Default> InMemoryStore<T> {
    /// Creates an empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T> InMemoryStore<T> {
    /// Lets tests make calls fail.
    #[must_use]
    pub fn failures(&self) -> &FailPoint {
        &self.failures
    }

    /// Locks the state for one call of a port. Callers change it in one step, so a poisoned lock holds a valid value.
    ///
    /// # Errors
    /// The failure that a test has set.
    pub fn call(&self) -> Result<MutexGuard<'_, T>, Box<dyn Error + Send + Sync>> {
        self.failures.check()?;
        Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
