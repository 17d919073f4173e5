//! Addresses without secrets.

/// An address without its possible secrets: user, password and query. The address need not be valid.
#[must_use]
pub(crate) fn shown_address(address: &str) -> String {
    const HIDDEN: &str = "…";
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => (scheme, rest),
        Some(_) => return HIDDEN.to_owned(),
        None => ("", address),
    };
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    if path.contains('@') {
        // Perhaps it is a password with a slash in it.
        return format!("{scheme}{HIDDEN}");
    }
    let host = authority.rsplit('@').next().unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    format!("{scheme}{host}{path}")
}

#[cfg(test)]
mod tests;
