//! Tests of the configuration.

use std::collections::BTreeMap;

use super::{ServerConfig, Transport};

fn http(url: &str) -> ServerConfig {
    let headers = BTreeMap::from([("Authorization".to_owned(), "Bearer secret-4711".to_owned())]);
    ServerConfig::new("web", Transport::Http { url: url.to_owned(), headers })
}

fn stdio(secret: &str) -> ServerConfig {
    let env = BTreeMap::from([("TOKEN".to_owned(), secret.to_owned())]);
    let args = vec!["--key".to_owned(), "secret-4711".to_owned()];
    ServerConfig::new("db", Transport::Stdio { command: "npx".to_owned(), args, env, cwd: None })
}

#[test]
fn secrets_are_not_shown() {
    let shown =
        format!("{:?} {:?}", http("https://u:secret-4711@h/mcp?key=secret-4711#x"), stdio("secret-4711"));
    assert!(!shown.contains("4711"), "{shown}");
    for part in ["https://h/mcp", "Authorization", "npx", "TOKEN", "120s"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}

#[test]
fn the_fingerprint_ignores_secrets() {
    assert_eq!(stdio("one").fingerprint(), stdio("another").fingerprint());
    let mut other = stdio("one");
    other.name = "db2".to_owned();
    let all =
        [stdio("x"), other, http("https://h/a"), http("https://h/b")].map(|server| server.fingerprint());
    for (at, one) in all.iter().enumerate() {
        assert!(one.len() == 32 && !all[..at].contains(one), "{all:?}");
    }
}
