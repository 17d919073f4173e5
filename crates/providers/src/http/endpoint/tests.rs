//! Addresses that are taken, and what is said of the others.

use expect_test::expect;

use super::*;

#[test]
fn an_address_is_http_without_secrets_in_it() {
    let mut shown = String::new();
    for text in [
        "https://api.anthropic.com",
        " http://127.0.0.1:8080/ ",
        "https://host/gateway/v1//",
        "http://[::1]:11434",
        "localhost:11434",
        "ftp://host",
        "api.anthropic.com",
        "sk-ant-canary:4711",
        "https://canary:canary@host",
        "https://canary@host",
        "https://host/?key=canary",
        "https://host/#canary",
        "https://",
        "",
    ] {
        let line = match Endpoint::new(text) {
            Ok(endpoint) => endpoint.base_url,
            Err(error) => error.to_string(),
        };
        assert!(!line.contains("canary"), "{line}");
        shown.push_str(&line);
        shown.push('\n');
    }
    expect![[r"
        https://api.anthropic.com
        http://127.0.0.1:8080
        https://host/gateway/v1
        http://[::1]:11434
        the base URL is no URL; write it as `https://host` or `http://host:port`
        the base URL begins with `ftp:`; it must begin with `https://` or `http://`
        the base URL is no URL; write it as `https://host` or `http://host:port`
        the base URL is no URL; write it as `https://host` or `http://host:port`
        the base URL holds a user name or a password; take it out and give the key on its own
        the base URL holds a user name or a password; take it out and give the key on its own
        the base URL has a `?` or a `#` part; take it out, paths are added at the end of the URL
        the base URL has a `?` or a `#` part; take it out, paths are added at the end of the URL
        the base URL is no URL; write it as `https://host` or `http://host:port`
        the base URL is no URL; write it as `https://host` or `http://host:port`
    "]]
    .assert_eq(&shown);
}

#[test]
fn the_version_in_the_path_is_there_once() {
    for (base, url) in [
        ("http://h", "http://h/v1/messages"),
        ("http://h/v1", "http://h/v1/messages"),
        ("http://h/v1/", "http://h/v1/messages"),
        ("http://h/gate/v1", "http://h/gate/v1/messages"),
        ("http://h/v12", "http://h/v12/v1/messages"),
    ] {
        assert_eq!(Endpoint::new(base).unwrap().url("/v1", "/messages"), url);
    }
}

#[test]
fn addresses_of_this_machine_are_known() {
    for (url, loopback) in [
        ("http://127.0.0.1:1/v1", true),
        ("http://127.8.8.8", true),
        ("http://[::1]:1", true),
        ("http://[::ffff:127.0.0.1]:1", true),
        ("http://localhost:11434", true),
        ("http://LOCALHOST", true),
        ("http://api.localhost", true),
        ("http://0.0.0.0", false),
        ("http://192.168.1.1", false),
        ("https://localhost.example.com", false),
        ("no url", false),
    ] {
        assert_eq!(is_loopback(url), loopback, "{url}");
    }
    assert_eq!(host("https://api.example.com/v1?x"), "api.example.com");
    assert_eq!(host("http://[::1]:99/"), "[::1]:99");
}

#[test]
fn models_on_this_machine_may_be_slow() {
    let waits = |url| Endpoint::new(url).unwrap().timeouts;
    assert_eq!(waits("http://localhost:8080/v1"), Timeouts::local());
    assert_eq!(waits("https://api.example.com"), Timeouts::default());
    assert!(Timeouts::local().idle > Timeouts::default().idle);
    assert_eq!(Timeouts::local().connect, Timeouts::default().connect);
}

#[test]
fn no_secret_of_an_endpoint_is_left_in_a_text_or_an_error() {
    let endpoint = Endpoint::new("https://h").unwrap().with_key(Key::new("key-canary-1"));
    let endpoint = endpoint
        .with_header("x-gateway", Key::new("gateway-canary-2"))
        .with_header("x-short", Key::new("beta"));
    let text = "key-canary-1, gateway-canary-2, beta";
    assert_eq!(endpoint.redact(text), "[key], [key], beta");
    let message = || text.to_owned();
    for error in [
        ModelError::Overflow { message: message(), limit: None, tokens: None },
        ModelError::RateLimited { message: message(), retry_after_ms: None },
        ModelError::Unavailable { message: message(), retry_after_ms: None },
        ModelError::Unauthorized { message: message() },
        ModelError::Unpaid { message: message() },
        ModelError::UnknownModel { message: message() },
        ModelError::TooLarge { message: message() },
        ModelError::PictureRefused { message: message() },
        ModelError::InvalidRequest { message: message() },
        ModelError::Interrupted { message: message() },
        ModelError::Silent { message: message() },
    ] {
        let shown = format!("{:?}", endpoint.redact_error(error));
        assert!(shown.contains("[key], [key], beta"), "{shown}");
    }
    let shown = format!("{endpoint:?}");
    assert!(!shown.contains("canary"), "{shown}");
}
