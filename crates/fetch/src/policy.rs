//! Limits on hosts, sizes and times.

use std::time::Duration;

use reqwest::Url;

/// Limits on hosts, sizes and times. By default, public addresses are allowed, 5 MiB and 30 seconds per page.
#[derive(Debug, Clone)]
pub struct FetchPolicy {
    allowed: Vec<(String, Option<u16>)>,
    pub(crate) most_bytes: usize,
    pub(crate) time: Duration,
}

/// An invalid entry in the list of allowed hosts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot allow {0:?}: write a host, or host:port, for example localhost:8080 or 10.0.0.7")]
pub struct InvalidHost(
    /// The text of the entry.
    pub String,
);

impl Default for FetchPolicy {
    fn default() -> Self {
        Self { allowed: Vec::new(), most_bytes: 5 * 1024 * 1024, time: Duration::from_secs(30) }
    }
}

impl FetchPolicy {
    /// The default policy.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows a host whatever its address is: all of its ports, or one as `host:port`.
    ///
    /// # Errors
    /// When the text is not a host.
    pub fn allowing(mut self, host: &str) -> Result<Self, InvalidHost> {
        self.allowed.push(parse(host).ok_or_else(|| InvalidHost(host.to_owned()))?);
        Ok(self)
    }

    /// Allows the host and the port of an address, whatever its address is.
    ///
    /// # Errors
    /// When the text is not the address of a page.
    pub fn allowing_url(mut self, url: &str) -> Result<Self, InvalidHost> {
        let wrong = || InvalidHost(url.to_owned());
        let url = Url::parse(url.trim()).map_err(|_| wrong())?;
        let host = url.host_str().ok_or_else(wrong)?.to_owned();
        self.allowed.push((host, url.port_or_known_default()));
        Ok(self)
    }

    /// Sets the limit for the bytes of a page.
    #[must_use]
    pub fn most_bytes(self, most_bytes: usize) -> Self {
        Self { most_bytes, ..self }
    }

    /// Sets the time limit of a page, including redirects.
    #[must_use]
    pub fn time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// Returns true if the host is allowed by name.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        let (host, port) = (url.host_str(), url.port_or_known_default());
        self.allowed
            .iter()
            .any(|(name, only)| host == Some(name) && only.is_none_or(|only| Some(only) == port))
    }
}

fn parse(text: &str) -> Option<(String, Option<u16>)> {
    // The URL parser normalizes the host as it does for calls.
    let url = Url::parse(&format!("http://{text}/")).ok()?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let named =
        url.username().is_empty() && url.password().is_none() && !text.contains(['/', '@', '?', '#', '\\']);
    // The parser drops the default port.
    let port = url.port().or_else(|| text.ends_with(":80").then_some(80));
    let host = url.host_str().filter(|host| bare && named && !host.contains('*'))?;
    Some((host.to_owned(), port))
}

#[cfg(test)]
mod tests;
