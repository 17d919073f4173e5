//! The address of an object store.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use object_store::path::Path;
use url::Url;

/// The address of an object store: `s3://bucket/prefix`, or `file:///folder`. It holds no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectPlace {
    text: String,
    kind: Kind,
}

/// What is behind an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A bucket, and the path in it that all keys begin with; it may be empty.
    Bucket { bucket: String, prefix: Path },
    /// A folder, by its absolute path.
    Folder(PathBuf),
}

/// A text that is no address of an object store. It does not show the text, which may hold a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidObjectPlace {
    /// It has another form.
    #[error("it is no address of an object store: write s3://bucket/prefix or file:///folder")]
    Form,
    /// It is for another kind of store.
    #[error("{0:?} stores are not supported: write s3://bucket/prefix or file:///folder")]
    Scheme(String),
    /// It has a user or a password.
    #[error(
        "it has credentials in it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and write s3://bucket/prefix"
    )]
    Credentials,
    /// It has parameters.
    #[error(
        "it has parameters: write s3://bucket/prefix, and set AWS_REGION and AWS_ENDPOINT_URL for the rest"
    )]
    Parameters,
}

impl FromStr for ObjectPlace {
    type Err = InvalidObjectPlace;

    fn from_str(text: &str) -> Result<Self, InvalidObjectPlace> {
        let text = text.trim();
        let url = Url::parse(text).map_err(|_| InvalidObjectPlace::Form)?;
        if !text.contains("://") {
            return Err(InvalidObjectPlace::Form);
        }
        if !matches!(url.scheme(), "s3" | "file") {
            return Err(InvalidObjectPlace::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(InvalidObjectPlace::Credentials);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(InvalidObjectPlace::Parameters);
        }
        if url.scheme() == "file" {
            let folder = url.to_file_path().map_err(|()| InvalidObjectPlace::Form)?;
            if folder.parent().is_none() {
                return Err(InvalidObjectPlace::Form);
            }
            let text = url.as_str().trim_end_matches('/').to_owned();
            return Ok(Self { text, kind: Kind::Folder(folder) });
        }
        let bucket = url.host_str().filter(|host| !host.is_empty() && url.port().is_none());
        let bucket = bucket.ok_or(InvalidObjectPlace::Form)?.to_owned();
        // A key is no part of a URL: it is written unchanged.
        let key = text.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
        let key = key.map_or("", |(_, key)| key.trim_matches('/'));
        let prefix = Path::parse(key).map_err(|_| InvalidObjectPlace::Form)?;
        let text = format!("s3://{bucket}/{key}").trim_end_matches('/').to_owned();
        Ok(Self { text, kind: Kind::Bucket { bucket, prefix } })
    }
}

impl ObjectPlace {
    /// The address, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }
}

impl fmt::Display for ObjectPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
