//! Opening a bucket or a folder.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::{BackoffConfig, ObjectStore, RetryConfig};

use throughline_providers::http::is_loopback;

use crate::fault::ObjectFault;
use crate::place::{Kind, ObjectPlace};
use crate::service::Connector;

/// How long a server that does not answer is tried again.
const PATIENCE: Duration = Duration::from_secs(20);

/// An object store that is ready for calls.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) objects: Box<dyn ObjectStore>,
    /// The folder that is behind it.
    folder: Option<PathBuf>,
}

impl Opened {
    /// Connects to nothing yet. A folder must exist, or its parent, in which it is created for the owner alone.
    pub(crate) fn new(place: &ObjectPlace, variables: &[(String, String)]) -> Result<Self, ObjectFault> {
        let fault = |error: object_store::Error| ObjectFault::of(place, &error);
        match place.kind() {
            Kind::Bucket { bucket, .. } => {
                Ok(Self { objects: Box::new(bucket_of(bucket, variables).map_err(fault)?), folder: None })
            }
            Kind::Folder(folder) => {
                private_folder(folder).map_err(|error| match error.kind() {
                    io::ErrorKind::NotFound => ObjectFault::NoPlace { place: place.clone() },
                    _ => ObjectFault::Unusable { place: place.clone(), why: error.to_string() },
                })?;
                let objects = LocalFileSystem::new_with_prefix(folder).map_err(fault)?;
                let objects = objects.with_fsync(true).with_automatic_cleanup(false);
                Ok(Self { objects: Box::new(objects), folder: Some(folder.clone()) })
            }
        }
    }

    /// Creates the folder of a key for the owner alone, where there are folders.
    pub(crate) fn make_room(&self, key: &str) -> io::Result<()> {
        match (&self.folder, key.rsplit_once('/')) {
            (Some(folder), Some((parent, _))) => private_folder(&folder.join(parent)),
            _ => Ok(()),
        }
    }
}

/// Credentials, region and endpoint are those of the `AWS_*` variables. An endpoint without TLS is used on this machine, and
/// elsewhere with `AWS_ALLOW_HTTP=true`.
fn bucket_of(bucket: &str, variables: &[(String, String)]) -> object_store::Result<AmazonS3> {
    let mut builder = AmazonS3Builder::new();
    for (name, value) in variables.iter().filter(|(_, value)| !value.is_empty()) {
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint]
        .iter()
        .find_map(|key| builder.get_config_value(key))
        .unwrap_or_default();
    let builder = if is_loopback(&endpoint) { builder.with_allow_http(true) } else { builder };
    let backoff = BackoffConfig { max_backoff: Duration::from_secs(2), ..BackoffConfig::default() };
    builder
        .with_bucket_name(bucket)
        .with_http_connector(Connector::default())
        .with_retry(RetryConfig { backoff, max_retries: 5, retry_timeout: PATIENCE })
        .build()
}

fn private_folder(path: &FilePath) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    match builder.create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        made => made,
    }
}
