//! Where pages may come from, and how much of one is taken.

use std::time::Duration;

use reqwest::Url;

/// Where pages may come from, and how much of one is taken. As it is made, any public address may be asked.
#[derive(Debug, Clone)]
pub struct FetchPolicy {
    allowed: Vec<(String, Option<u16>)>,
    pub(crate) most_bytes: usize,
    pub(crate) time: Duration,
}

/// An entry of the list of hosts that names none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot allow {0:?}: write a host, or host:port, for example localhost:8080 or 10.0.0.7")]
pub struct BadHost(pub String);

impl Default for FetchPolicy {
    fn default() -> Self {
        Self { allowed: Vec::new(), most_bytes: 5 * 1024 * 1024, time: Duration::from_secs(30) }
    }
}

impl FetchPolicy {
    /// Public addresses, at most 5 MiB and 30 seconds for a page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, and this host whatever its address is. Without a port, every port of it.
    ///
    /// # Errors
    /// When the text is no host.
    pub fn allowing(mut self, host: &str) -> Result<Self, BadHost> {
        self.allowed.push(parse(host).ok_or_else(|| BadHost(host.to_owned()))?);
        Ok(self)
    }

    /// The same with another bound for the bytes of a page.
    #[must_use]
    pub fn most_bytes(self, most_bytes: usize) -> Self {
        Self { most_bytes, ..self }
    }

    /// The same with another bound for the time that a page takes, redirects included.
    #[must_use]
    pub fn time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// Whether the host was allowed by name.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        let (host, port) = (url.host_str(), url.port_or_known_default());
        self.allowed
            .iter()
            .any(|(name, only)| host == Some(name) && only.is_none_or(|only| Some(only) == port))
    }
}

fn parse(text: &str) -> Option<(String, Option<u16>)> {
    // The same reading as of an address, so that both agree on every way to write a host.
    let url = Url::parse(&format!("http://{text}/")).ok()?;
    let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let named =
        url.username().is_empty() && url.password().is_none() && !text.contains(['/', '@', '?', '#', '\\']);
    // The usual port is left out when an address is read.
    let port = url.port().or_else(|| text.ends_with(":80").then_some(80));
    let host = url.host_str().filter(|_| bare && named)?;
    Some((host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::{BadHost, FetchPolicy};

    #[test]
    fn a_host_is_allowed_however_it_is_written() {
        let policy = |host| FetchPolicy::new().allowing(host).unwrap();
        let allows = |host, url: &str| policy(host).allows(&Url::parse(url).unwrap());
        assert!(allows("LocalHost", "http://localhost:9/x"));
        assert!(allows("localhost:80", "http://localhost/"));
        assert!(!allows("localhost:80", "https://localhost/"));
        assert!(allows("127.0.0.1:8080", "http://2130706433:8080/"));
        assert!(!allows("127.0.0.1:8080", "http://127.0.0.1:8081/"));
        assert!(allows("[::1]", "http://[0:0::1]:5/"));
        assert!(!allows("localhost", "http://localhost.evil.example/"));
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for host in ["", "a/b", "user@host", "http://host", "host:port", "a b", "host?x", "a\\b"] {
            let refused = FetchPolicy::new().allowing(host);
            assert_eq!(refused.err(), Some(BadHost(host.to_owned())), "{host}");
        }
    }
}
