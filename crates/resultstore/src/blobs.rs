//! The port to a place for large contents, outside the database of their results.

use std::fmt::Debug;

use async_trait::async_trait;

/// Why a blob cannot be stored, read or removed. The text names the place and what helps, and no secret.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct BlobError(#[from] pub Box<dyn std::error::Error + Send + Sync>);

/// Stores the contents of large results, each under a key that the caller never gives to other bytes.
///
/// # Contract
/// - When [`put`](BlobStore::put) has returned, the bytes MUST survive a crash of this program and of the place.
/// - A blob that is written MUST NOT be seen in part: `get` gives all its bytes or none.
/// - [`get`](BlobStore::get) MUST give the bytes exactly, and `None` only if the place has no blob of this key.
/// - [`remove`](BlobStore::remove) of a key that is missing MUST succeed.
/// - No error may show a password or another secret.
///
/// # When it fails
/// The caller stores new bytes in the database instead. A read returns the error. A removal is tried again at the next one.
#[async_trait]
pub trait BlobStore: Debug + Send + Sync {
    /// The address of the place, such as `s3://bucket/prefix`, without secrets. It does not end with a slash.
    fn place(&self) -> &str;

    /// Stores bytes.
    async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<(), BlobError>;

    /// The bytes of a key.
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, BlobError>;

    /// How many bytes a key has.
    async fn size(&self, key: &str) -> Result<Option<u64>, BlobError>;

    /// Removes a blob.
    async fn remove(&self, key: &str) -> Result<(), BlobError>;
}

const _: Option<&dyn BlobStore> = None;
