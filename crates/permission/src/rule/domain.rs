//! A pattern of hosts.

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
        if host.is_empty() || !host.chars().all(plain) {
            return Err(form().to_owned());
        }
        Ok(Self { host: normal(host), below })
    }

    /// Whether it means the host of this address.
    pub(crate) fn fits(&self, url: &str) -> bool {
        let Some(host) = host_of(url) else { return false };
        if !self.below {
            return host == self.host;
        }
        host.strip_suffix(&self.host).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
    }
}

/// The host of an address; `None` when it cannot be told without doubt.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.trim().split_once("://")?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    // A name before `@`, a backslash or a control character are ways to show another host than is asked.
    let authority = rest.split(['/', '?', '#']).next()?;
    if authority
        .chars()
        .any(|letter| matches!(letter, '@' | '\\' | '%') || letter.is_whitespace() || letter.is_control())
    {
        return None;
    }
    let host = if let Some(inner) = authority.strip_prefix('[') {
        format!("[{}]", inner.split_once(']')?.0)
    } else {
        authority.split(':').next()?.to_owned()
    };
    (!host.is_empty()).then(|| normal(&host))
}

/// Hosts do not know case, and a dot at the end changes nothing.
fn normal(host: &str) -> String {
    host.trim_end_matches('.').to_lowercase()
}
