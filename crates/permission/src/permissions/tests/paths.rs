//! Rules for paths.

use std::path::Path;

use expect_test::expect;

use super::super::Permissions;
use super::{call, check, permissions, rules, runs};
use crate::decision::Decision;
use crate::mode::Mode;

#[test]
fn paths() {
    let cases: [(&str, &[&str], &[&str]); 9] = [
        (
            "edit(src/**)",
            &["src/a.rs", "src/b/c.rs", "./src/a", "x/../src/a"],
            &["a", "srcx/a", "../src/a", "src/../a"],
        ),
        ("edit(src)", &["src/a", "src/b/c"], &["srcx", "x/src/a"]),
        ("edit(src/)", &["src/a", "src/b/c"], &["srcx"]),
        ("edit(*.md)", &["a.md"], &["b/a.md", "a.rs"]),
        ("edit(**/*.md)", &["a.md", "b/c/a.md"], &["a.mdx"]),
        ("edit(/tmp/**)", &["/tmp/a", "../tmp/a"], &["tmp/a", "/tmp/../etc/x"]),
        ("write_file(a?)", &[], &["ab"]),
        (
            "edit(**)",
            &["a", ".github/a"],
            &[".git/config", ".mcp.json", ".throughline/config.toml", "x/.GIT/a"],
        ),
        ("edit(.git/**)", &[".git/config"], &["x/.git/config"]),
    ];
    for (rule, fit, others) in cases {
        let allowed = permissions(Mode::Ask, &[&format!("allow {rule}")]);
        for path in fit {
            assert!(runs(&allowed, &format!("edit_file {path}")), "{rule} fits {path}");
        }
        for path in others {
            assert!(!runs(&allowed, &format!("edit_file {path}")), "{rule} does not fit {path}");
        }
    }
}

#[test]
fn a_search_of_a_parent_folder_counts_as_reading() {
    let denied =
        permissions(Mode::Yolo, &["deny read(a/secret/**)", "deny read(**/.env)", "deny read(/etc/keys)"]);
    for call in [
        "grep .",
        "grep a",
        "grep a/secret",
        "read_file a/secret/x",
        "grep /etc",
        "grep ..",
        "read_file b/.env",
    ] {
        assert!(!runs(&denied, call), "{call}");
    }
    for call in ["grep b", "grep a/b", "read_file x", "read_file a/secrets", "edit_file a/x", "grep /var"] {
        assert!(runs(&denied, call), "{call}");
    }
}

#[test]
fn a_file_that_may_not_be_read_may_not_be_edited() {
    check(
        Mode::Yolo,
        &["allow edit(**)", "deny read(**/keys)", "ask read(notes/**)", "deny read_file(a)", "allow read"],
        &["edit_file keys", "write_file b/keys", "edit_file notes/a", "edit_file a", "edit_file ../x"],
        &expect![[r#"
            "edit_file keys" is refused: the rule read(**/keys) forbids it, as an edit reads the file (here)
            "write_file b/keys" is refused: the rule read(**/keys) forbids it, as an edit reads the file (here)
            "edit_file notes/a" asks: the rule read(notes/**) asks, as an edit reads the file (here)
            "edit_file a" runs: the rule edit(**) allows it (here)
            "edit_file ../x" runs: the mode is yolo
        "#]],
    );
    // Through a link too, and a rule that allows reading does not allow writing.
    let denied = permissions(Mode::Yolo, &["deny read(secret/**)"]);
    let (edit, access) = call("edit_file link");
    assert!(matches!(denied.decide_at(&edit, &access, Some("/w/secret/x".as_ref())), Decision::Deny { .. }));
    assert!(!runs(&permissions(Mode::Ask, &["allow read(src/**)", "allow read"]), "edit_file src/a"));
}

#[test]
fn a_call_without_a_path_is_not_matched_by_path_rules() {
    let denied = permissions(Mode::Yolo, &["deny read(secret/**)"]);
    let (mut call, access) = call("grep");
    call.name = "update_checklist".to_owned();
    assert!(matches!(denied.decide(&call, &access), Decision::Allow { .. }));
}

#[test]
fn an_edit_that_file_tools_would_refuse_is_refused_without_asking() {
    let rules = rules(&["allow edit(/srv/**)", "ask edit"]);
    let permissions = Permissions::new(Mode::Ask, rules, "/w").editing(vec!["/srv/cache".into()]);
    let refused = |text: &str, real: Option<&str>| {
        let (call, access) = call(text);
        match permissions.decide_at(&call, &access, real.map(Path::new)) {
            Decision::Deny { because } => {
                assert!(because.contains("`writable` in [tools]"), "{because}");
                true
            }
            _ => false,
        }
    };
    for path in ["../a", "/srv/a", "/srv/cache2/a", "/srv/cache/../a", "/wx/a"] {
        assert!(refused(&format!("edit_file {path}"), None), "{path}");
    }
    for path in ["a", "/w/a", "/srv/cache/a", "/srv/cache/b/../c"] {
        assert!(!refused(&format!("edit_file {path}"), None), "{path}");
    }
    assert!(refused("edit_file link/a", Some("/etc/a")), "a link leads out");
    assert!(!refused("edit_file /link/a", Some("/w/a")), "a link leads in");
    assert!(!refused("read_file /etc/a", None) && !refused("shell /etc/a", None));
}

#[test]
fn a_link_is_matched_by_its_name_and_its_target() {
    let rules = rules(&["allow edit(src/**)", "deny edit(secret/**)"]);
    let permissions = Permissions::new(Mode::Yolo, rules, "/w").editing(vec!["/etc".into()]);
    let (call, access) = call("edit_file src/link/a");
    let at = |real: &str| permissions.decide_at(&call, &access, Some(real.as_ref()));
    assert!(matches!(at("/w/secret/a"), Decision::Deny { .. }));
    permissions.set_mode(Mode::AutoEdit);
    assert!(matches!(at("/w/src/real/a"), Decision::Allow { .. }));
    assert!(matches!(at("/etc/a"), Decision::Ask { .. }), "what leads out is asked about");
}

#[test]
fn a_rule_for_a_folder_does_not_allow_what_runs_later_in_it() {
    let allowed = permissions(
        Mode::Ask,
        &[
            "allow edit(docs/**)",
            "allow edit(site)",
            "allow edit(.vscode/**)",
            "allow edit(**/.envrc)",
            "allow edit(/w/a/**)",
        ],
    );
    for path in ["docs/a.md", "site/a.md", ".vscode/tasks.json", "sub/.envrc", "docs/.envrc", "/w/a/b"] {
        assert!(runs(&allowed, &format!("edit_file {path}")), "{path}");
    }
    for path in [
        "docs/.vscode/tasks.json",
        "docs/.throughline/config.toml",
        "docs/.npmrc",
        "site/.mcp.json",
        "a/.mcp.json",
        ".vscode.x/.mcp.json",
    ] {
        assert!(!runs(&allowed, &format!("edit_file {path}")), "{path}");
    }
    let named = permissions(Mode::Ask, &["allow edit(docs/.vscode/**)", "allow edit(docs/.npmrc)"]);
    for path in ["docs/.vscode/tasks.json", "docs/.npmrc"] {
        assert!(runs(&named, &format!("edit_file {path}")), "{path}");
    }
}

#[test]
fn composed_and_decomposed_letters_are_the_same() {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}");
    for (rule, path) in [(composed, decomposed), (decomposed, composed)] {
        let denied = permissions(Mode::Yolo, &[&format!("deny edit({rule}/**)")]);
        assert!(!runs(&denied, &format!("edit_file {path}/a")), "{rule:?} {path:?}");
    }
}
