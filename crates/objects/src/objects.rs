//! The port over an object store.

use std::fmt;
use std::sync::OnceLock;

use async_trait::async_trait;
use object_store::path::{Path, PathPart};
use object_store::{Error, ObjectStore, ObjectStoreExt as _};
use throughline_resultstore::{BlobError, BlobStore};

use crate::fault::ObjectFault;
use crate::opened::Opened;
use crate::place::{Kind, ObjectPlace};

/// Stores blobs as objects. Opened at the first call.
pub struct ObjectBlobs {
    place: ObjectPlace,
    /// Names and values, some of them secret.
    variables: Vec<(String, String)>,
    opened: OnceLock<Opened>,
}

impl fmt::Debug for ObjectBlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectBlobs").field("place", &self.place).finish_non_exhaustive()
    }
}

impl ObjectBlobs {
    /// Blobs in this place. Of these variables, those whose names begin with `AWS_` say how S3 is reached. Nothing is opened or
    /// checked yet.
    #[must_use]
    pub fn new(place: ObjectPlace, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        let variables = variables.into_iter().filter(|(name, _)| name.starts_with("AWS_")).collect();
        Self { place, variables, opened: OnceLock::new() }
    }

    fn opened(&self) -> Result<&Opened, ObjectFault> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        // Two callers may both open it; one of them is used.
        let opened = Opened::new(&self.place, &self.variables)?;
        Ok(self.opened.get_or_init(|| opened))
    }

    fn objects(&self) -> Result<&dyn ObjectStore, ObjectFault> {
        self.opened().map(|opened| opened.objects.as_ref())
    }

    fn path(&self, key: &str) -> Path {
        match self.place.kind() {
            Kind::Bucket { prefix, .. } => prefix.parts().chain(key.split('/').map(PathPart::from)).collect(),
            Kind::Folder(_) => Path::from(key),
        }
    }

    fn failed(&self, error: &Error) -> BlobError {
        ObjectFault::of(&self.place, error).into()
    }

    /// `None` for a missing object. A missing bucket is an error.
    fn found<T>(&self, found: Result<T, Error>) -> Result<Option<T>, BlobError> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error @ Error::NotFound { .. }) => match ObjectFault::of(&self.place, &error) {
                fault @ ObjectFault::NoPlace { .. } => Err(fault.into()),
                _ => Ok(None),
            },
            Err(error) => Err(self.failed(&error)),
        }
    }
}

#[async_trait]
impl BlobStore for ObjectBlobs {
    fn place(&self) -> &str {
        self.place.as_str()
    }

    async fn put(&self, key: &str, bytes: Vec<u8>) -> Result<(), BlobError> {
        let opened = self.opened()?;
        let unusable =
            |why: std::io::Error| ObjectFault::Unusable { place: self.place.clone(), why: why.to_string() };
        opened.make_room(key).map_err(unusable)?;
        let put = opened.objects.put(&self.path(key), bytes.into()).await;
        put.map(drop).map_err(|error| self.failed(&error))
    }

    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, BlobError> {
        let Some(found) = self.found(self.objects()?.get(&self.path(key)).await)? else { return Ok(None) };
        let bytes = found.bytes().await.map_err(|error| self.failed(&error))?;
        Ok(Some(bytes.into()))
    }

    async fn size(&self, key: &str) -> Result<Option<u64>, BlobError> {
        let found = self.found(self.objects()?.head(&self.path(key)).await)?;
        Ok(found.map(|found| found.size))
    }

    async fn remove(&self, key: &str) -> Result<(), BlobError> {
        self.found(self.objects()?.delete(&self.path(key)).await).map(drop)
    }
}
