//! What is said of a proxy, which is not used.

use std::ffi::OsString;

/// Where programs are told of a proxy.
const NAMES: [&str; 6] = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/// What the model reads beside the fact that a host was not reached, in an environment that names a proxy.
pub(crate) fn not_used() -> String {
    told(|name| std::env::var_os(name))
}

fn told(variable: impl Fn(&str) -> Option<OsString>) -> String {
    let set = |name: &&&str| variable(name).is_some_and(|value| !value.is_empty());
    NAMES.iter().find(set).map_or_else(String::new, |name| {
        format!(
            " {name} names a proxy, which fetch does not use: it connects by itself, to addresses that it has judged. Where \
             the network lets nobody out but through the proxy, take a command that uses it, such as curl."
        )
    })
}

#[cfg(test)]
mod tests {
    //! Tests of what is said.

    use super::told;

    #[test]
    fn a_proxy_that_is_set_is_named() {
        let with = |set: &'static str, value: &'static str| {
            told(move |name| (name == set).then(|| std::ffi::OsString::from(value)))
        };
        assert!(
            with("https_proxy", "http://proxy.example:3128").starts_with(" https_proxy names a proxy, which")
        );
        assert!(!with("ALL_PROXY", "socks5://user:secret@h").contains("secret"));
        assert_eq!(with("HTTPS_PROXY", "") + &with("NO_PROXY", "*"), "");
    }
}
