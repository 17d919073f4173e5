//! Explains that a configured proxy is not used.

use std::ffi::OsString;

/// The environment variables that configure a proxy.
const NAMES: [&str; 6] = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/// A note for the model, added when a host was not reached and the environment names a proxy; otherwise empty.
pub(crate) fn not_used() -> String {
    note(|name| std::env::var_os(name))
}

fn note(variable: impl Fn(&str) -> Option<OsString>) -> String {
    let set = |name: &&&str| variable(name).is_some_and(|value| !value.is_empty());
    NAMES.iter().find(set).map_or_else(String::new, |name| {
        format!(
            " {name} names a proxy, which fetch does not use: it connects by itself, to addresses that it has judged. Where \
             the network lets nothing out but through the proxy, take a command that uses it, such as curl."
        )
    })
}

#[cfg(test)]
mod tests;
