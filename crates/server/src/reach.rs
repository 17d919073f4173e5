//! How clients reach the server: where it listens, and by which address others know it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use url::Url;

/// Where a server listens, and by which address clients of other machines reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerReach {
    /// The address of the interface. [`Self::default`]: this machine alone.
    pub bind: IpAddr,
    /// The port; 0: any that is free.
    pub port: u16,
    /// The address that clients use, that of a proxy for example.
    pub public: Option<PublicUrl>,
}

impl Default for ServerReach {
    fn default() -> Self {
        Self { bind: Ipv4Addr::LOCALHOST.into(), port: 0, public: None }
    }
}

/// The address by which clients reach a server: scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    is_https: bool,
    authority: String,
}

/// Why a text is no public address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublicUrlError {
    /// No URL at all.
    #[error("it is no URL; write it as https://agents.example.com")]
    NoUrl,
    /// A scheme that browsers and clients of an API do not speak here.
    #[error("it must begin with https:// or http://")]
    Scheme,
    /// Something behind the host and port.
    #[error("it must end with the host or its port: a path, a query, a user and a fragment are not possible")]
    More,
}

impl PublicUrl {
    /// Reads an address.
    ///
    /// # Errors
    /// [`PublicUrlError`].
    pub fn parse(text: &str) -> Result<Self, PublicUrlError> {
        let url = Url::parse(text).map_err(|_| PublicUrlError::NoUrl)?;
        if !["http", "https"].contains(&url.scheme()) {
            return Err(PublicUrlError::Scheme);
        }
        let plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !plain || !url.username().is_empty() || url.password().is_some() {
            return Err(PublicUrlError::More);
        }
        let host = url.host_str().ok_or(PublicUrlError::NoUrl)?;
        let authority = match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        Ok(Self { is_https: url.scheme() == "https", authority })
    }

    /// Returns true if what clients send is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.is_https
    }

    /// Returns true if a header `Host` names this address, with or without the port of the scheme.
    pub(crate) fn is_at(&self, host: &str) -> bool {
        let usual = if self.is_https { ":443" } else { ":80" };
        host.strip_suffix(usual).unwrap_or(host).eq_ignore_ascii_case(&self.authority)
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.is_https { "https" } else { "http" }, self.authority)
    }
}

#[cfg(test)]
mod tests;
