//! Tests of allowed hosts.

use reqwest::Url;

use super::{FetchPolicy, InvalidHost};

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
fn an_entry_that_is_not_a_host_is_refused() {
    for host in ["", "a/b", "user@host", "http://host", "host:port", "a b", "host?x", "a\\b"] {
        let refused = FetchPolicy::new().allowing(host);
        assert_eq!(refused.err(), Some(InvalidHost(host.to_owned())), "{host}");
    }
}
