//! What a login to a server needs beyond what the server says itself.

use std::fmt;

use serde::{Deserialize, Deserializer};

/// Options of the OAuth login to a network server. All are optional: most servers register clients by themselves. The `Debug`
/// output omits the secret.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct OAuthOptions {
    /// Id of a client that was registered by hand, for authorization servers that register none by themselves.
    #[serde(alias = "clientId")]
    pub client_id: Option<String>,
    /// Secret of that client, if it has one.
    #[serde(alias = "clientSecret")]
    pub client_secret: Option<String>,
    /// Scopes to ask for; by default those that the server names.
    #[serde(deserialize_with = "scopes")]
    pub scopes: Vec<String>,
    /// Port of the redirect on this machine, where a client was registered with one; by default any that is free.
    #[serde(alias = "callbackPort")]
    pub callback_port: Option<u16>,
}

impl fmt::Debug for OAuthOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthOptions")
            .field("client_id", &self.client_id)
            .field("scopes", &self.scopes)
            .field("callback_port", &self.callback_port)
            .finish_non_exhaustive()
    }
}

/// Scopes as a list, or as one text with spaces between them.
fn scopes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Text(String),
        List(Vec<String>),
    }
    Ok(match Written::deserialize(from)? {
        Written::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
        Written::List(list) => list,
    })
}
