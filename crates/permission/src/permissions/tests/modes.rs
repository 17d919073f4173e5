//! What each mode allows, and how rules override it.

use expect_test::expect;

use super::{check, decided, permissions, runs};
use crate::decision::Decision;
use crate::mode::Mode;

const CALLS: [&str; 8] = [
    "read_file src/a.rs",
    "edit_file src/a.rs",
    "write_file ../out.txt",
    "write_file .git/hooks/pre-commit",
    "write_file .throughline/config.toml",
    "shell git status",
    "fetch https://example.com/x",
    "mcp__github__list_issues",
];

#[test]
fn modes() {
    check(
        Mode::Plan,
        &[],
        &CALLS,
        &expect![[r#"
        "read_file src/a.rs" runs: it only reads
        "edit_file src/a.rs" is refused: the session is in plan mode: nothing may be changed, run or asked of servers
        "write_file ../out.txt" is refused: the session is in plan mode: nothing may be changed, run or asked of servers
        "write_file .git/hooks/pre-commit" is refused: the session is in plan mode: nothing may be changed, run or asked of servers
        "write_file .throughline/config.toml" is refused: the session is in plan mode: nothing may be changed, run or asked of servers
        "shell git status" is refused: the session is in plan mode: nothing may be changed, run or asked of servers
        "fetch https://example.com/x" is refused: the session is in plan mode: nothing may be changed, run or asked of servers
        "mcp__github__list_issues" is refused: the session is in plan mode: nothing may be changed, run or asked of servers
    "#]],
    );
    check(
        Mode::Ask,
        &[],
        &CALLS,
        &expect![[r#"
            "read_file src/a.rs" runs: it only reads
            "edit_file src/a.rs" asks, edit(src/**): it changes a file
            "write_file ../out.txt" asks: it changes a file
            "write_file .git/hooks/pre-commit" asks: it changes a file
            "write_file .throughline/config.toml" asks: it changes a file
            "shell git status" asks, shell(git status *): it runs a command
            "fetch https://example.com/x" asks, fetch(domain:example.com): it connects to a server
            "mcp__github__list_issues" asks, mcp__github__list_issues: its effect is unknown
        "#]],
    );
    check(
        Mode::AutoEdit,
        &[],
        &CALLS,
        &expect![[r#"
            "read_file src/a.rs" runs: it only reads
            "edit_file src/a.rs" runs: it edits the workspace, and the mode is auto-edit
            "write_file ../out.txt" asks: it changes a file outside of the workspace
            "write_file .git/hooks/pre-commit" asks: it changes a file that controls permissions or commands
            "write_file .throughline/config.toml" asks: it changes a file that controls permissions or commands
            "shell git status" asks, shell(git status *): it runs a command
            "fetch https://example.com/x" asks, fetch(domain:example.com): it connects to a server
            "mcp__github__list_issues" asks, mcp__github__list_issues: its effect is unknown
        "#]],
    );
    check(
        Mode::Yolo,
        &[],
        &CALLS,
        &expect![[r#"
        "read_file src/a.rs" runs: it only reads
        "edit_file src/a.rs" runs: the mode is yolo
        "write_file ../out.txt" runs: the mode is yolo
        "write_file .git/hooks/pre-commit" runs: the mode is yolo
        "write_file .throughline/config.toml" runs: the mode is yolo
        "shell git status" runs: the mode is yolo
        "fetch https://example.com/x" runs: the mode is yolo
        "mcp__github__list_issues" runs: the mode is yolo
    "#]],
    );
}

#[test]
fn rules_win_over_modes_and_deny_rules_over_all() {
    let lines = [
        "allow shell(git *)",
        "ask shell(git push *)",
        "deny shell(git push --force *)",
        "deny edit(secret/**)",
    ];
    let calls = [
        "shell git log",
        "shell git push origin",
        "shell git push --force",
        "shell git log && git push --force origin",
        "shell sudo /usr/bin/git push --force",
        "shell $X push --force",
        "edit_file secret/a",
        "edit_file src/../secret/a",
        "edit_file ./secret//a",
        "edit_file /w/secret/a",
    ];
    check(
        Mode::Yolo,
        &lines,
        &calls,
        &expect![[r#"
            "shell git log" runs: the rule shell(git *) allows it (here)
            "shell git push origin" asks: the rule shell(git push *) asks (here)
            "shell git push --force" is refused: the rule shell(git push --force *) forbids it (here)
            "shell git log && git push --force origin" is refused: the rule shell(git push --force *) forbids it (here)
            "shell sudo /usr/bin/git push --force" is refused: the rule shell(git push --force *) forbids it (here)
            "shell $X push --force" asks: it is unclear which programs it runs, and some have rules
            "edit_file secret/a" is refused: the rule edit(secret/**) forbids it (here)
            "edit_file src/../secret/a" is refused: the rule edit(secret/**) forbids it (here)
            "edit_file ./secret//a" is refused: the rule edit(secret/**) forbids it (here)
            "edit_file /w/secret/a" is refused: the rule edit(secret/**) forbids it (here)
        "#]],
    );
    check(
        Mode::Ask,
        &lines,
        &calls,
        &expect![[r#"
            "shell git log" runs: the rule shell(git *) allows it (here)
            "shell git push origin" asks: the rule shell(git push *) asks (here)
            "shell git push --force" is refused: the rule shell(git push --force *) forbids it (here)
            "shell git log && git push --force origin" is refused: the rule shell(git push --force *) forbids it (here)
            "shell sudo /usr/bin/git push --force" is refused: the rule shell(git push --force *) forbids it (here)
            "shell $X push --force" asks: it is unclear which programs it runs, and some have rules
            "edit_file secret/a" is refused: the rule edit(secret/**) forbids it (here)
            "edit_file src/../secret/a" is refused: the rule edit(secret/**) forbids it (here)
            "edit_file ./secret//a" is refused: the rule edit(secret/**) forbids it (here)
            "edit_file /w/secret/a" is refused: the rule edit(secret/**) forbids it (here)
        "#]],
    );
}

#[test]
fn options_before_the_words_of_a_pattern_do_not_disguise_a_command() {
    let rules = [
        "deny shell(git push *)",
        "deny shell(docker compose down *)",
        "deny shell(kubectl delete *)",
        "deny shell(npm publish *)",
        "deny shell(cargo publish)",
        "deny shell(systemctl stop *)",
        "deny shell(rm -rf *)",
    ];
    let denied = permissions(Mode::Yolo, &rules);
    for line in [
        "git push",
        "git -C . push",
        "git --no-pager push",
        "git -c a=b push",
        "git -P -C x -c a=b --git-dir=x push origin",
        "git --git-dir x --work-tree . push",
        "sudo /usr/bin/git -C . push",
        "docker --context x compose -f a.yml down",
        "kubectl -n x --context=y delete pod a",
        "npm --workspace x publish",
        "cargo +nightly publish",
        "cargo -Z x +nightly publish",
        "systemctl --user -M x stop a",
        "rm -rf x",
        "rm {fd}>x -rf y",
        "git &>/dev/null push",
        "git 2>&1 push",
        "git 2>x push &>y",
    ] {
        assert!(matches!(decided(&denied, &format!("shell {line}")), Decision::Deny { .. }), "{line}");
    }
    assert!(matches!(decided(&denied, "shell git -c alias.p=push p"), Decision::Ask { .. }));
    for line in ["git {push,origin,main}", "git -C . {push,x}", r"git $'\x70ush' origin main"] {
        let decision = decided(&denied, &format!("shell {line}"));
        let Decision::Ask { why, .. } = &decision else { panic!("{line}: {decision:?}") };
        assert!(why.contains("shell(git push *)"), "{why}");
    }
    for line in [
        "cp a.{txt,bak}",
        "git add a.{txt,bak}",
        "git -C . log",
        "git log push",
        "git commit -m push",
        "git commit push",
        "docker compose -f a.yml logs down",
        "kubectl get delete",
        "npm run publish",
        "cargo publish --dry-run",
        "rm -f x",
    ] {
        assert!(runs(&denied, &format!("shell {line}")), "{line}");
    }
    let many = format!("shell git {}status", "-c a=b ".repeat(1_000));
    assert!(matches!(decided(&denied, &many), Decision::Deny { .. }), "no command has that many options");
}

#[test]
fn plan_mode_allows_reading_only_whatever_the_rules_allow() {
    let permissions = permissions(Mode::Plan, &["allow *"]);
    assert!(runs(&permissions, "read_file a") && !runs(&permissions, "shell git commit"));
    permissions.set_mode(Mode::Ask);
    assert!(runs(&permissions, "shell git commit"));
}

#[test]
fn a_mode_has_one_name_and_a_meaning_of_its_own() {
    assert_eq!(Mode::ALL.map(Mode::name), ["plan", "ask", "auto-edit", "yolo"]);
    for mode in Mode::ALL {
        assert_eq!(Mode::named(mode.name()), Some(mode));
        assert_eq!(mode.to_string(), mode.name());
    }
    assert_eq!(Mode::named("Ask"), None);
    let meanings: std::collections::BTreeSet<&str> = Mode::ALL.map(Mode::meaning).into();
    assert_eq!(meanings.len(), 4);
    assert!(meanings.iter().all(|meaning| meaning.contains(' ')), "{meanings:?}");
}

#[tokio::test]
async fn a_tool_that_has_changed_takes_its_remembered_rules_with_it() {
    let permissions = permissions(Mode::Ask, &["deny shell(rm *)"]);
    for rule in ["shell(make *)", "edit(src/**)"] {
        permissions.remember(rule).await.unwrap();
    }
    let texts = || -> Vec<String> {
        permissions.rules().iter().map(|placed| placed.rule.text().to_owned()).collect()
    };
    assert_eq!(texts(), ["shell(rm *)", "shell(make *)", "edit(src/**)"]);
    assert!(permissions.rules.all().len() == 1, "written rules are apart from remembered ones");
    assert_eq!(permissions.forget_tool("shell").await, ["shell(make *)"]);
    assert_eq!(texts(), ["shell(rm *)", "edit(src/**)"]);
    assert!(permissions.forget_tool("shell").await.is_empty());
}
