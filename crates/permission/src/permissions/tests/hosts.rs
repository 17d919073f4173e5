//! Rules for hosts and for the tools of MCP servers, and sandboxed commands.

use super::super::Commands;
use super::{decided, permissions, runs};
use crate::decision::Decision;
use crate::mode::Mode;

/// Addresses, and the host that the tool would connect to: `None` if it is missing or unclear.
const ADDRESSES: [(&str, Option<&str>); 27] = [
    ("https://example.com/a", Some("example.com")),
    ("HTTP://EXAMPLE.com.:8080", Some("example.com")),
    ("https://a.example.com", Some("a.example.com")),
    ("https://a.b.example.com?x", Some("a.b.example.com")),
    ("https://badexample.com", Some("badexample.com")),
    ("https://example.com.evil.org", Some("example.com.evil.org")),
    ("https://example.com@evil.org/", None),
    ("https://evil.org/https://example.com", Some("evil.org")),
    ("https://evil.org\\@example.com", Some("evil.org")),
    ("https://.example.com", Some(".example.com")),
    ("file://example.com/a", None),
    ("example.com", None),
    ("", None),
    ("https:/evil.org", Some("evil.org")),
    ("https:evil.org", Some("evil.org")),
    ("https:\\\\evil.org", Some("evil.org")),
    ("https:////evil.org", Some("evil.org")),
    ("https://ev\til.org", Some("evil.org")),
    ("ht\ntps://evil.org", Some("evil.org")),
    (" \u{1}https://evil.org\u{1f}", Some("evil.org")),
    ("https://ｅｖｉｌ.org", Some("evil.org")),
    ("https://evil。org", Some("evil.org")),
    ("https://ev\u{ad}il.org", Some("evil.org")),
    ("https://%65vil.org", Some("evil.org")),
    ("https://evil.org..", None),
    ("https://evil.org%00", None),
    ("https://EVIL.org:443?@example.com", Some("evil.org")),
];

#[test]
fn hosts() {
    for host in ["example.com", "evil.org"] {
        let rules =
            |kind: &str| [format!("{kind} fetch(domain:{host})"), format!("{kind} fetch(domain:*.{host})")];
        let is_below =
            |real: &str| real.strip_suffix(host).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'));
        for (url, real) in ADDRESSES {
            let call = format!("fetch {url}");
            let fits = [real == Some(host), real.is_some_and(is_below)];
            for (rule, fits) in rules("allow").iter().zip(fits) {
                assert_eq!(runs(&permissions(Mode::Ask, &[rule]), &call), fits, "{rule} {url:?}");
            }
            for kind in ["deny", "ask"] {
                for (rule, fits) in rules(kind).iter().zip(fits) {
                    let holds = !runs(&permissions(Mode::Yolo, &[rule]), &call);
                    assert_eq!(holds, fits || real.is_none(), "{rule} {url:?}");
                }
            }
        }
    }
    let denied =
        permissions(Mode::Yolo, &["deny fetch(domain:10.0.0.7)", "deny fetch(domain:bücher.example)"]);
    for url in ["http://167772167/", "http://0xa.7/", "http://10.0.0.7:80", "http://xn--bcher-kva.example"] {
        assert!(!runs(&denied, &format!("fetch {url}")), "{url}");
    }
    assert!(!runs(&denied, "fetch"), "no address at all");
}

#[test]
fn names_of_mcp_tools() {
    let allowed = permissions(Mode::Ask, &["allow mcp__github__*", "deny mcp__github__delete_repo"]);
    assert!(runs(&allowed, "mcp__github__list_issues") && !runs(&allowed, "mcp__gitlab__list_issues"));
    assert!(matches!(decided(&allowed, "mcp__github__delete_repo"), Decision::Deny { .. }));
}

#[test]
fn commands_in_the_sandbox() {
    let with = |sandboxed, sandboxed_are_free| {
        permissions(Mode::AutoEdit, &["deny shell(rm *)"]).commands(Commands {
            sandboxed,
            sandboxed_are_free,
            ..Commands::default()
        })
    };
    assert!(runs(&with(true, true), "shell make"));
    for (sandboxed, free) in [(true, false), (false, true), (false, false)] {
        assert!(!runs(&with(sandboxed, free), "shell make"));
    }
    assert!(!runs(&with(true, true), "shell rm x"), "a rule still forbids");
    let planning = with(true, true);
    planning.set_mode(Mode::Plan);
    assert!(!runs(&planning, "shell make"));
}
