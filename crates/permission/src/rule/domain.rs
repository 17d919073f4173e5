//! Host patterns of rules.

use url::Url;

/// A host, or all of its subdomains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DomainPattern {
    host: String,
    below: bool,
}

impl DomainPattern {
    /// Parses `domain:HOST` or `domain:*.HOST`. The error names the correct form.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let form = || "write fetch(domain:example.com), or fetch(domain:*.example.com) for its subdomains";
        let host = text.strip_prefix("domain:").map(str::trim).ok_or_else(|| form().to_owned())?;
        let (host, below) = host.strip_prefix("*.").map_or((host, false), |host| (host, true));
        let plain =
            |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_' | ':' | '[' | ']');
        if !host.chars().all(plain) {
            return Err(form().to_owned());
        }
        // The URL parser normalizes the host as it does for calls. A port is not part of a host.
        let read = Url::parse(&format!("http://{host}/")).ok().filter(|url| url.port().is_none());
        let host = read.as_ref().and_then(host_in).ok_or_else(|| form().to_owned())?;
        Ok(Self { host, below })
    }

    /// Returns true if it matches this host, in the form of [`host_of`].
    pub(crate) fn matches(&self, host: &str) -> bool {
        if !self.below {
            return host == self.host;
        }
        host.strip_suffix(&self.host).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
    }
}

/// The host that a URL connects to; `None` if it is missing or unclear. URLs are parsed as the tool `fetch` parses them
/// (<https://url.spec.whatwg.org>), which accepts missing slashes, tabs and Unicode letters that map to others.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let url = Url::parse(url.trim()).ok()?;
    let plain =
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    if plain { host_in(&url) } else { None }
}

/// The host of a URL without its trailing dot. Several trailing dots are not a host.
fn host_in(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    let host = host.strip_suffix('.').unwrap_or(host);
    (!host.is_empty() && !host.ends_with('.')).then(|| host.to_owned())
}
