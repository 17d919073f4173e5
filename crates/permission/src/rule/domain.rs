//! A pattern of hosts.

use url::Url;

/// A host, or all those below one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DomainPattern {
    host: String,
    below: bool,
}

impl DomainPattern {
    /// Reads `domain:HOST` or `domain:*.HOST`. The error says what would be right.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let form =
            || "write fetch(domain:example.com), or fetch(domain:*.example.com) for the hosts below it";
        let host = text.strip_prefix("domain:").map(str::trim).ok_or_else(|| form().to_owned())?;
        let (host, below) = host.strip_prefix("*.").map_or((host, false), |host| (host, true));
        let plain =
            |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_' | ':' | '[' | ']');
        if !host.chars().all(plain) {
            return Err(form().to_owned());
        }
        // As an address is read, so that both agree on every way to write a host. A port is no part of one.
        let read = Url::parse(&format!("http://{host}/")).ok().filter(|url| url.port().is_none());
        let host = read.as_ref().and_then(host_in).ok_or_else(|| form().to_owned())?;
        Ok(Self { host, below })
    }

    /// Whether it means this host, as [`host_of`] gives it.
    pub(crate) fn fits(&self, host: &str) -> bool {
        if !self.below {
            return host == self.host;
        }
        host.strip_suffix(&self.host).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
    }
}

/// The host that is asked for an address; `None` when none is, or when it cannot be told. Addresses are read as the tool
/// `fetch` reads them (<https://url.spec.whatwg.org>): one slash or none, tabs, and letters that only look like others
/// lead to a host all the same.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let url = Url::parse(url.trim()).ok()?;
    let plain =
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    if plain { host_in(&url) } else { None }
}

/// The host of an address that was read. A dot at the end changes nothing; more of them are no host.
fn host_in(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    let host = host.strip_suffix('.').unwrap_or(host);
    (!host.is_empty() && !host.ends_with('.')).then(|| host.to_owned())
}
