//! Blobs in memory: the fake of tests.

use std::collections::BTreeMap;

use async_trait::async_trait;
use throughline_failpoint::InMemoryStore;

use crate::blobs::{BlobError, BlobStore};

/// Holds blobs until it is dropped.
pub type InMemoryBlobStore = InMemoryStore<StoredBlobs>;

/// Bytes by key.
#[derive(Debug, Default)]
pub struct StoredBlobs {
    blobs: BTreeMap<String, Vec<u8>>,
}

impl StoredBlobs {
    /// The keys, and what they name.
    #[must_use]
    pub fn blobs(&mut self) -> &mut BTreeMap<String, Vec<u8>> {
        &mut self.blobs
    }
}

#[async_trait]
impl BlobStore for InMemoryBlobStore {
    fn place(&self) -> &'static str {
        "memory:blobs"
    }

    async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<(), BlobError> {
        self.call()?.blobs.insert(key.to_owned(), bytes);
        Ok(())
    }

    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, BlobError> {
        Ok(self.call()?.blobs.get(key).cloned())
    }

    async fn size(&self, key: &str) -> Result<Option<u64>, BlobError> {
        Ok(self.call()?.blobs.get(key).map(|bytes| bytes.len() as u64))
    }

    async fn remove(&self, key: &str) -> Result<(), BlobError> {
        self.call()?.blobs.remove(key);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
