//! Addresses and headers as the library is told them.

use async_openai::config::Config;

use super::{Settings, api_base};
use crate::client::{Endpoint, Key};

#[test]
fn a_host_gets_the_version_and_a_path_stays() {
    for (given, used) in [
        ("https://api.openai.com", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
        ("https://host/v1beta/openai", "https://host/v1beta/openai"),
    ] {
        assert_eq!(api_base(given), used, "{given}");
    }
}

#[test]
fn the_key_is_a_bearer_and_other_headers_win() {
    let endpoint = Endpoint::new("http://host").unwrap();
    let bare = Settings::new(&endpoint).unwrap();
    assert_eq!(bare.headers().len(), 0);
    assert_eq!(bare.url("/chat/completions"), "http://host/v1/chat/completions");
    assert_eq!(bare.query(), []);

    let keyed = endpoint.clone().with_key(Key::new("s3cret-key")).with_header("api-key", Key::new("more"));
    let settings = Settings::new(&keyed).unwrap();
    assert_eq!(settings.headers()["authorization"], "Bearer s3cret-key");
    assert_eq!(settings.headers()["api-key"], "more");
    let shown = format!("{settings:?} {:?}", settings.headers());
    assert!(!shown.contains("s3cret") && !shown.contains("more"), "{shown}");

    let own = keyed.with_header("Authorization", Key::new("Basic abc"));
    assert_eq!(Settings::new(&own).unwrap().headers()["authorization"], "Basic abc");
}

#[test]
fn what_no_header_can_carry_is_told_without_its_value() {
    let endpoint = Endpoint::new("http://host").unwrap();
    let broken = [
        (endpoint.clone().with_key(Key::new("s3cret\nkey")), "authorization"),
        (endpoint.clone().with_header("x-extra", Key::new("s3cret\u{0}")), "x-extra"),
        (endpoint.with_header("x extra", Key::new("s3cret")), "x extra"),
    ];
    for (endpoint, name) in broken {
        let said = Settings::new(&endpoint).unwrap_err();
        assert!(said.contains(name) && !said.contains("s3cret"), "{said}");
    }
}
