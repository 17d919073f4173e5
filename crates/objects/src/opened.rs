//! Opening a bucket or a folder.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::{BackoffConfig, ObjectStore, RetryConfig};

use throughline_providers::http::is_loopback;
use url::Url;

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
                let endpoints = endpoints(variables)
                    .map_err(|why| ObjectFault::Unusable { place: place.clone(), why })?;
                let objects = bucket_of(bucket, variables, &endpoints).map_err(fault)?;
                Ok(Self { objects: Box::new(objects), folder: None })
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

/// The variables that have a value and that S3 knows.
fn known(variables: &[(String, String)]) -> impl Iterator<Item = (AmazonS3ConfigKey, &str, &str)> {
    variables.iter().filter(|(_, value)| !value.is_empty()).filter_map(|(name, value)| {
        Some((name.to_ascii_lowercase().parse().ok()?, name.as_str(), value.as_str()))
    })
}

/// The endpoints that variables name, S3's own first. One without TLS is used on this machine, and elsewhere with
/// `AWS_ALLOW_HTTP=true`. The crate `object_store` checks neither, and panics at one that is no address.
fn endpoints(variables: &[(String, String)]) -> Result<Vec<(AmazonS3ConfigKey, String)>, String> {
    let mut endpoints = Vec::new();
    for wanted in [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint] {
        for (key, name, value) in known(variables).filter(|(key, ..)| *key == wanted) {
            let url = Url::parse(value).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            // The value may hold a secret.
            let why = || format!("{name} is no address such as https://minio.example.com:9000");
            let url = url.filter(Url::has_host).ok_or_else(why)?;
            let endpoint = url.as_str().trim_end_matches('/').to_owned();
            if url.scheme() == "http" && !is_loopback(&endpoint) && !allows_http(variables) {
                return Err(format!(
                    "{name} names a server without TLS that is not on this machine; name it with https, or set AWS_ALLOW_HTTP=true"
                ));
            }
            endpoints.push((key, endpoint));
        }
    }
    Ok(endpoints)
}

fn allows_http(variables: &[(String, String)]) -> bool {
    variables
        .iter()
        .any(|(name, value)| name == "AWS_ALLOW_HTTP" && value.trim().eq_ignore_ascii_case("true"))
}

/// Credentials and region are those of the `AWS_*` variables.
fn bucket_of(
    bucket: &str,
    variables: &[(String, String)],
    endpoints: &[(AmazonS3ConfigKey, String)],
) -> object_store::Result<AmazonS3> {
    let mut builder = AmazonS3Builder::new();
    for (key, _, value) in known(variables) {
        builder = builder.with_config(key, value);
    }
    for (key, endpoint) in endpoints {
        builder = builder.with_config(*key, endpoint);
    }
    // About four seconds in all: a server that is started again is back by then.
    let backoff = BackoffConfig {
        init_backoff: Duration::from_millis(300),
        max_backoff: Duration::from_secs(2),
        ..BackoffConfig::default()
    };
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
