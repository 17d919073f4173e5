//! Addresses and headers of requests.

use serde_json::json;

use super::post;
use crate::http::{Endpoint, Key};

#[test]
fn a_host_gets_the_version_and_a_path_stays() {
    for (base, url) in [
        ("https://api.openai.com", "https://api.openai.com/v1/responses"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1/responses"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/responses"),
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/responses"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1/responses"),
        ("https://host/v1beta/openai", "https://host/v1beta/openai/responses"),
    ] {
        let endpoint = Endpoint::new(base).unwrap();
        assert_eq!(post(&endpoint, "/responses", &json!({})).url, url, "{base}");
    }
}

#[test]
fn the_key_is_a_bearer_and_other_headers_win() {
    let endpoint = Endpoint::new("http://host").unwrap();
    let sent = |endpoint: &Endpoint| -> Vec<(String, String)> {
        let headers = post(endpoint, "/responses", &json!({})).headers;
        headers.into_iter().map(|(name, value)| (name, value.expose().to_owned())).collect()
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let kind = pair("content-type", "application/json");
    assert_eq!(sent(&endpoint), std::slice::from_ref(&kind));

    let keyed = endpoint.with_key(Key::new("s3cret-key")).with_header("api-key", Key::new("more"));
    let bearer = pair("authorization", "Bearer s3cret-key");
    assert_eq!(sent(&keyed), [bearer.clone(), pair("api-key", "more"), kind.clone()]);
    let shown = format!("{:?}", post(&keyed, "/responses", &json!({})));
    assert!(!shown.contains("s3cret") && !shown.contains("more"), "{shown}");

    // Of two headers with one name the later is sent.
    let own = keyed.with_header("Authorization", Key::new("Basic abc"));
    assert_eq!(sent(&own), [bearer, pair("api-key", "more"), pair("Authorization", "Basic abc"), kind]);
}
