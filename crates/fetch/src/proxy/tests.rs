//! Tests of the note about proxies.

use super::note;

#[test]
fn a_proxy_that_is_set_is_named() {
    let with = |set: &'static str, value: &'static str| {
        note(move |name| (name == set).then(|| std::ffi::OsString::from(value)))
    };
    assert!(
        with("https_proxy", "http://proxy.example:3128").starts_with(" https_proxy names a proxy, which")
    );
    assert!(!with("ALL_PROXY", "socks5://user:secret@h").contains("secret"));
    assert_eq!(with("HTTPS_PROXY", "") + &with("NO_PROXY", "*"), "");
}
