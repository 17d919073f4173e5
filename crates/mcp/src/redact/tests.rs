//! Tests of redaction.

use std::collections::BTreeMap;

use super::Redactor;
use crate::{ServerConfig, Transport};

fn stdio(args: &[&str], env: &[(&str, &str)]) -> Redactor {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Redactor::of(&ServerConfig::new(
        "s",
        Transport::Stdio {
            command: "x".to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: env.iter().map(owned).collect(),
            cwd: None,
        },
    ))
}

#[test]
fn configured_values_are_hidden() {
    let redactor = stdio(
        &["--api-key", "abcdefgh1", "--token=abcdefgh2", "plain-argument", "db://u:abcdefgh3@h/x"],
        &[("TOKEN", "abcdefgh4"), ("LONG", "abcdefgh4-and-more"), ("MODE", "fast")],
    );
    let text = "abcdefgh1 abcdefgh2 plain-argument abcdefgh3 abcdefgh4 abcdefgh4-and-more fast";
    assert_eq!(redactor.line(text), "[hidden] [hidden] plain-argument [hidden] [hidden] [hidden] fast");
    let http = Redactor::of(&ServerConfig::new(
        "s",
        Transport::Http {
            url: "https://h/mcp?apiKey=abcdefgh5%21".to_owned(),
            headers: BTreeMap::from([("Authorization".to_owned(), "Bearer abcdefgh6".to_owned())]),
        },
    ));
    assert_eq!(
        http.line("abcdefgh5! abcdefgh5%21 Bearer abcdefgh6, abcdefgh6"),
        "[hidden] [hidden] [hidden], [hidden]"
    );
}

#[test]
fn the_rest_is_one_short_line() {
    let line = stdio(&[], &[]).line(&format!("a\n\u{1b}[31mred\u{7}\tb {}", "x".repeat(10_000)));
    assert!(line.starts_with("a [31mred b xxx") && line.len() < 510, "{line}");
    assert!(!line.contains(char::is_control), "{line:?}");
}

#[test]
fn a_secret_that_is_learned_later_is_hidden_by_every_clone() {
    let redactor = stdio(&[], &[("TOKEN", "abcdefgh4")]);
    let clone = redactor.clone();
    redactor.learn("abcdefgh4-renewed");
    assert_eq!(clone.line("abcdefgh4 abcdefgh4-renewed"), "[hidden] [hidden]");
}
