//! What an error of an object store means to a user, without secrets.

use throughline_resultstore::BlobError;
use throughline_text::error_chain;

use crate::place::{Kind, ObjectPlace};

/// A failed call, by the place that it was for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ObjectFault {
    /// The server does not let this user in, or not do this.
    #[error(
        "{place} refuses: {why}; see the AWS_ variables with the credentials and the region, and the rights on the bucket"
    )]
    Refused {
        /// The address.
        place: ObjectPlace,
        /// What the server says.
        why: String,
    },
    /// The settings in the environment cannot be used.
    #[error("{place} cannot be used: {why}")]
    Unusable {
        /// The address.
        place: ObjectPlace,
        /// Why.
        why: String,
    },
    /// There is no such bucket or folder.
    #[error("{place} does not exist; create it, or name another place in storage.blobs")]
    NoPlace {
        /// The address.
        place: ObjectPlace,
    },
    /// Anything else.
    #[error("{place} failed: {why}; {help}")]
    Failed {
        /// The address.
        place: ObjectPlace,
        /// Why.
        why: String,
        /// What may help.
        help: &'static str,
    },
}

impl ObjectFault {
    /// What an error of a call means.
    pub(crate) fn of(place: &ObjectPlace, error: &object_store::Error) -> Self {
        use object_store::Error;
        let why = without_secrets(&error_chain(error));
        let place = place.clone();
        match error {
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => Self::Refused { place, why },
            Error::UnknownConfigurationKey { .. } | Error::NotSupported { .. } => {
                Self::Unusable { place, why }
            }
            _ if why.contains("NoSuchBucket") => Self::NoPlace { place },
            _ => {
                let help = match place.kind() {
                    Kind::Bucket { .. } => {
                        "see that the server runs, and that AWS_ENDPOINT_URL and AWS_REGION are right"
                    }
                    Kind::Folder(_) => "see its folder and its disk",
                };
                Self::Failed { place, why, help }
            }
        }
    }
}

impl From<ObjectFault> for BlobError {
    fn from(fault: ObjectFault) -> Self {
        Self(Box::new(fault))
    }
}

/// The text without what a server repeats of a request, and without the credentials of an address. Of a body in XML, the code
/// and the message are left.
fn without_secrets(text: &str) -> String {
    let (before, body) = match text.find("<?xml").or_else(|| text.find("<Error>")) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let mut out = String::new();
    let mut rest = before;
    while let Some((head, tail)) = rest.split_once("://") {
        out.push_str(head);
        out.push_str("://");
        let host = tail.find(|letter: char| letter == '/' || letter.is_whitespace()).unwrap_or(tail.len());
        let (authority, after) = tail.split_at(host);
        out.push_str(authority.rsplit_once('@').map_or(authority, |(_, host)| host));
        rest = after;
    }
    out.push_str(rest);
    let said: Vec<&str> = ["Code", "Message"].iter().filter_map(|name| element(body, name)).collect();
    out.push_str(&said.join(": "));
    out.trim_end_matches([' ', ':']).to_owned()
}

fn element<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = xml.split_once(&format!("<{name}>"))?;
    Some(after.split_once(&format!("</{name}>"))?.0)
}

#[cfg(test)]
mod tests;
