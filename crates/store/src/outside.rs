//! A store with large contents outside its database.

use std::sync::Arc;

use throughline_resultstore::BlobStore;

use crate::blobs::Blobs;
use crate::object_error::ObjectError;
use crate::store::Store;

impl Store {
    /// Stores contents of results that have more than `from` bytes in an object store, from now on and by all clones too, and
    /// reads those that are there. A second one changes nothing.
    ///
    /// While the object store fails, contents are stored in the database.
    #[must_use]
    pub fn with_blobs(self, store: Arc<dyn BlobStore>, from: u64) -> Self {
        let _ = self.database.blobs.set(Blobs::new(store, from));
        self
    }

    /// Removes the objects of deleted results, as far as no other result has them, and those that a process was writing when
    /// it ended. Deleting sessions and results tries it by itself; [`Store::forget_deleted`] also reports what is left.
    ///
    /// # Errors
    /// [`ObjectError::Left`]: some are left. The next call tries them again.
    pub async fn remove_loose_objects(&self) -> Result<(), ObjectError> {
        self.database().remove_loose_objects().await
    }
}
