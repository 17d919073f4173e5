//! Tests of the decision.

use std::path::Path;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;
use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect};

use super::{Commands, Permissions, RuleKind, Rules};
use crate::{Decision, Mode};

/// `tool` or `tool subject`; what the tool does follows from its name.
fn call(text: &str) -> (ToolCall, Access) {
    let (name, subject) = text.split_once(' ').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let effect = match name {
        "read_file" | "grep" => Effect::Read,
        "edit_file" | "write_file" => Effect::Edit,
        "shell" => Effect::Command,
        "fetch" => Effect::Network,
        _ => Effect::Other,
    };
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input: json!({}) };
    (call, Access { effect, subject: subject.map(str::to_owned) })
}

/// Rules as `allow shell(git *)`.
fn rules(lines: &[&str]) -> Rules {
    let mut rules = Rules::new();
    for line in lines {
        let (kind, text) = line.split_once(' ').unwrap();
        let kinds = [RuleKind::Deny, RuleKind::Ask, RuleKind::Allow];
        let kind = kinds.into_iter().find(|own| own.name() == kind).unwrap();
        rules.add(kind, text, "here").unwrap();
    }
    rules
}

/// Permissions of file tools that reach everything.
fn permissions(mode: Mode, lines: &[&str]) -> Permissions {
    Permissions::new(mode, rules(lines), "/w").editing(vec!["/".into()])
}

fn decided(permissions: &Permissions, text: &str) -> Decision {
    let (call, access) = call(text);
    permissions.decide(&call, &access)
}

fn reason_for(permissions: &Permissions, text: &str) -> String {
    match decided(permissions, text) {
        Decision::Allow { because } => format!("{text:?} runs: {because}"),
        Decision::Ask { why, rule: Some(rule) } => format!("{text:?} asks, {rule}: {why}"),
        Decision::Ask { why, rule: None } => format!("{text:?} asks: {why}"),
        Decision::Deny { because } => {
            format!("{text:?} is refused: {}", because.split('.').next().unwrap_or_default())
        }
    }
}

fn check(mode: Mode, lines: &[&str], calls: &[&str], expected: &Expect) {
    let permissions = permissions(mode, lines);
    let all: String = calls.iter().map(|text| reason_for(&permissions, text) + "\n").collect();
    expected.assert_eq(&all);
}

fn runs(permissions: &Permissions, text: &str) -> bool {
    matches!(decided(permissions, text), Decision::Allow { .. })
}

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
    for line in [
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
    assert!(matches!(decided(&denied, &many), Decision::Deny { .. }), "no command has so many options");
}

#[test]
fn plan_mode_allows_reading_only_whatever_the_rules_allow() {
    let permissions = permissions(Mode::Plan, &["allow *"]);
    assert!(runs(&permissions, "read_file a") && !runs(&permissions, "shell git commit"));
    permissions.set_mode(Mode::Ask);
    assert!(runs(&permissions, "shell git commit"));
}

#[test]
fn an_allowed_command_does_not_allow_others_in_its_line() {
    let allowed =
        permissions(Mode::Ask, &["allow shell(git *)", "allow shell(cargo test *)", "allow shell(ls)"]);
    for line in [
        "git status",
        "git log --oneline -5",
        "git status && git diff; cargo test -p x",
        "git switch -c new",
        "ls",
        "git log | git shortlog",
        "git --no-pager log 2>/dev/null",
        "git commit -m 'a; b && c'",
        "git add src/*.rs",
        "cargo test\ngit log",
    ] {
        assert!(runs(&allowed, &format!("shell {line}")), "{line}");
    }
    for line in [
        "git status && rm -rf /",
        "git log; curl x",
        "git log | sh",
        "git log $(rm x)",
        "git log `rm x`",
        "git log > x",
        "git log\nrm x",
        "A=1 git log",
        "GIT_PAGER=sh git log",
        "git -c core.pager=sh log",
        "git -ccore.pager=sh log",
        "git -C /x log",
        "git --exec-path=/x log",
        "git --config-env=a=b log",
        "git log --output=x",
        "git diff --ext-diff",
        "git diff --ext",
        "git grep -Osh x",
        "git rebase -x sh",
        "git rebase --exec sh",
        "git bisect run sh",
        "git submodule foreach sh",
        "git config alias.x '!sh'",
        "git clone ext::sh",
        "git fetch --upload-pack=sh",
        "git fetch --upload-p sh",
        "git clone -c core.pager=sh x",
        "git difftool -x sh",
        "./git log",
        "/tmp/git log",
        "gitx",
        "git *",
        "git {a,b}",
        "git log & rm x",
        "git log || rm x",
        "(git log)",
        "env git log",
        "sudo git log",
        "! git log",
        "cargo test --config x",
        "cargo build",
        "cargo  +evil test",
        "ls -l",
        "git log \\\n; rm x",
        "",
        "git log <<X\nX",
        "git archive -o x HEAD",
        "git --exec-pat* log",
        "git con* alias.x '!sh'",
        "git bisect ru* sh",
        "git submodule fore* sh",
    ] {
        assert!(!runs(&allowed, &format!("shell {line}")), "{line}");
    }
}

#[test]
fn a_harmless_program_is_not_harmless_with_every_argument() {
    let programs =
        ["printf", "test", "uniq", "tree", "rg", "pytest", "eslint", "tsc", "make", "mypy", "ctest"];
    let rules: Vec<String> = programs.iter().map(|program| format!("allow shell({program} *)")).collect();
    let allowed = permissions(Mode::Ask, &rules.iter().map(String::as_str).collect::<Vec<_>>());
    for line in [
        "printf '%s [%s]' a b",
        "test -f x",
        "uniq -c a",
        "uniq -f 1 a",
        "uniq -f1 -- a",
        "tree -L 2",
        "rg -n x src",
        "pytest -x -k a tests/a.py",
        "eslint src --max-warnings 0",
        "tsc --noEmit --pretty",
        "make all",
        "mypy --strict src",
        "ctest -V",
    ] {
        assert!(runs(&allowed, &format!("shell {line}")), "{line}");
    }
    for line in [
        "printf -v 'a[$(rm x)]' x",
        "printf -v PATH /tmp",
        "printf -vPATH /tmp",
        "test -v 'a[$(rm x)]'",
        "test -v 'a[`rm x`]'",
        "test 1 -eq 'a[$(rm x)]'",
        "uniq in out",
        "uniq -f 1 in out",
        "uniq -- in -out",
        "uniq - out",
        "tree -o x",
        "tree -ao x",
        "tree -R -H .",
        "rg --hostname-bin=/tmp/x a",
        "rg --hostname-bin /tmp/x a",
        "rg --pre /tmp/x a",
        "pytest -c x.ini",
        "pytest -p x",
        "pytest -px",
        "pytest -o addopts=x",
        "pytest --rootdir=/tmp",
        "pytest --basetemp=/home/x",
        "pytest @x",
        "eslint -c x.js .",
        "eslint --fix .",
        "eslint -f ./x.js .",
        "eslint --rulesdir x .",
        "tsc --outFile x",
        "tsc --OUTFILE x",
        "tsc -outFile x",
        "tsc -p x",
        "tsc @x",
        "make SHELL=/tmp/x all",
        "mypy --python-executable /tmp/x .",
        "mypy --python-exec /tmp/x .",
        "mypy --install-types",
        "ctest -S x.cmake",
        "rg --p* x .",
        "rg -''-pre* x",
        "uniq in*",
        "make SHEL*",
    ] {
        assert!(!runs(&allowed, &format!("shell {line}")), "{line}");
        let rule = match decided(&permissions(Mode::Ask, &[]), &format!("shell {line}")) {
            Decision::Ask { rule, .. } => rule,
            other => panic!("{line}: {other:?}"),
        };
        assert!(rule.as_ref().is_none_or(|rule| !rule.ends_with(" *)")), "{line}: {rule:?}");
    }
}

#[test]
fn options_that_redirect_a_build_are_not_covered() {
    let starts = [
        "make test",
        "cargo test",
        "mvn test",
        "./mvnw test",
        "gradle test",
        "./gradlew test",
        "npm test",
        "pnpm test",
        "yarn test",
        "bun test",
        "just test",
        "go test",
    ];
    let rules: Vec<String> = starts.iter().map(|start| format!("allow shell({start} *)")).collect();
    let allowed = permissions(Mode::Ask, &rules.iter().map(String::as_str).collect::<Vec<_>>());
    for line in [
        "make test -j8 --keep-going",
        "cargo test -p x --workspace --lib",
        "cargo test --message-format=json -- --test-threads 1",
        "mvn test -q -B -T 1C -Dtest=FooTest -pl a -am -fae -ntp -Pfast",
        "./mvnw test -Dsurefire.failIfNoSpecifiedTests=false",
        "gradle test --tests FooTest -i -Pbig=1 -Dbig=2 --parallel",
        "./gradlew test --stacktrace",
        "npm test -w a --silent",
        "pnpm test -r --filter a",
        "go test -count=1 -run=TestCopy -race ./...",
    ] {
        assert!(runs(&allowed, &format!("shell {line}")), "{line}");
    }
    for line in [
        "make test -f /tmp/evil.mk",
        "make test -f/tmp/evil.mk",
        "make test --file=/tmp/evil.mk",
        "make test --f=/tmp/evil.mk",
        "make test --makefile /tmp/evil.mk",
        "make test --mak /tmp/evil.mk",
        "make test -C /tmp/x",
        "make test -kC /tmp/x",
        "make test --directory=/tmp/x",
        "make test --di=/tmp/x",
        "make test -I /tmp/x",
        "cargo test -C /tmp/x",
        "cargo test --manifest-path /tmp/x/Cargo.toml",
        "cargo test --manifest-path=/tmp/x/Cargo.toml",
        "cargo test --config /tmp/x.toml",
        "mvn test -f /tmp/x",
        "mvn test -f/tmp/x",
        "mvn test --file /tmp/x",
        "mvn test -s /tmp/x.xml",
        "mvn test -gs /tmp/x.xml",
        "mvn test -t /tmp/x.xml",
        "mvn test -Dmaven.ext.class.path=/tmp/x.jar",
        "mvn test -D maven.ext.class.path=/tmp/x.jar",
        "./mvnw test --settings=/tmp/x.xml",
        "gradle test -p /tmp/x",
        "gradle test -qp /tmp/x",
        "gradle test -b /tmp/x.gradle",
        "gradle test -I /tmp/x.gradle",
        "gradle test --project-dir=/tmp/x",
        "gradle test --include-build /tmp/x",
        "gradle test -Dorg.gradle.java.home=/tmp/x",
        "./gradlew test -p /tmp/x",
        "npm test --prefix /tmp/x",
        "npm test --pref=/tmp/x",
        "npm test -C /tmp/x",
        "pnpm test --dir /tmp/x",
        "pnpm test -C /tmp/x",
        "yarn test --cwd /tmp/x",
        "bun test --cwd=/tmp/x",
        "just test -f /tmp/x",
        "just test --working-directory /tmp/x",
        "go test -C /tmp/x",
        "go test --C=/tmp/x",
        "go test -exec /tmp/x",
        "go test -o /tmp/x",
        "go test -overlay=/tmp/x.json",
    ] {
        assert!(!runs(&allowed, &format!("shell {line}")), "{line}");
        let rule = match decided(&permissions(Mode::Ask, &[]), &format!("shell {line}")) {
            Decision::Ask { rule, .. } => rule,
            other => panic!("{line}: {other:?}"),
        };
        assert!(rule.as_ref().is_none_or(|rule| !rule.ends_with(" *)")), "{line}: {rule:?}");
    }
}

#[test]
fn evaluated_words_are_refused_or_asked_about() {
    let denied = permissions(Mode::Yolo, &["deny shell(rm *)"]);
    for line in
        ["printf -v 'a[$(rm x)]' y", "test -v 'a[$(rm x)]'", "[[ -v 'a[`rm x`]' ]]", "let 'a[$(rm x)]'"]
    {
        assert!(matches!(decided(&denied, &format!("shell {line}")), Decision::Deny { .. }), "{line}");
    }
    assert!(matches!(decided(&denied, "shell a='b[$(rm x)]'; ((a))"), Decision::Ask { .. }));
    assert!(runs(&denied, "shell printf '%s' x; test -f y; echo $((1 + 2))"));
}

#[test]
fn an_option_in_the_rule_is_covered() {
    let allowed =
        permissions(Mode::Ask, &["allow shell(git -c color.ui=never log *)", "allow shell(sort -o out *)"]);
    assert!(runs(&allowed, "shell git -c color.ui=never log -3") && runs(&allowed, "shell sort -o out in"));
    assert!(!runs(&allowed, "shell git -c color.ui=never log --output=x"));
}

#[test]
fn a_whole_line_is_matched_literally() {
    let allowed =
        permissions(Mode::Ask, &["allow shell(cargo fmt && cargo test)", "allow shell(echo \\* *)"]);
    assert!(runs(&allowed, "shell cargo fmt && cargo test") && !runs(&allowed, "shell cargo fmt"));
    assert!(!runs(&allowed, "shell cargo fmt && cargo test && rm x"));
    assert!(runs(&allowed, "shell echo '*' a") && !runs(&allowed, "shell echo x a"));
}

#[test]
fn a_rule_without_pattern_matches_every_call() {
    let allowed = permissions(Mode::Ask, &["allow shell"]);
    assert!(runs(&allowed, "shell x=$(rm a) > b") && !runs(&allowed, "fetch https://x.org"));
}

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

/// Addresses, and the host that the tool would connect to: `None` if there is none or it is unclear.
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
        permissions(Mode::AutoEdit, &["deny shell(rm *)"])
            .commands(Commands { sandboxed, sandboxed_are_free })
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

#[test]
fn suggested_rules() {
    let permissions = permissions(Mode::Ask, &[]);
    let shown: String = [
        "shell cargo test -p x",
        "shell git commit -m x",
        "shell git push --force",
        "shell npm run build",
        "shell ls -l",
        "shell python3 x.py",
        "shell bash -c 'ls'",
        "shell rm -rf x",
        "shell sudo ls",
        "shell env X=1 rm x",
        "shell cargo fmt && cargo test",
        "shell cargo test && rm x",
        "shell git log > x",
        "shell cat a*b",
        "shell find . -exec ls ;",
        "shell find . -name x",
        "shell curl https://x.org",
        "shell sort -o x y",
        "shell printf -v 'a[$(rm x)]' y",
        "shell printf '%s' x",
        "shell uniq a b",
        "edit_file src/a/b.rs",
        "edit_file README.md",
        "edit_file .github/workflows/a.yml",
        "edit_file ../x",
        "edit_file .git/config",
        "fetch https://x.org/a",
        "fetch https://a@x.org/a",
        "fetch https:/X.org",
        "fetch http://[::1]/",
        "mcp__a__b",
        "mine",
    ]
    .iter()
    .map(|text| match decided(&permissions, text) {
        Decision::Ask { rule, .. } => format!("{text}: {}\n", rule.as_deref().unwrap_or("-")),
        other => format!("{text}: {other:?}\n"),
    })
    .collect();
    expect![[r#"
        shell cargo test -p x: shell(cargo test *)
        shell git commit -m x: shell(git commit *)
        shell git push --force: shell(git push --force)
        shell npm run build: shell(npm run build *)
        shell ls -l: shell(ls *)
        shell python3 x.py: shell(python3 x.py)
        shell bash -c 'ls': shell(bash -c 'ls')
        shell rm -rf x: -
        shell sudo ls: -
        shell env X=1 rm x: -
        shell cargo fmt && cargo test: shell(cargo fmt && cargo test)
        shell cargo test && rm x: -
        shell git log > x: -
        shell cat a*b: shell(cat *)
        shell find . -exec ls ;: -
        shell find . -name x: shell(find . -name x)
        shell curl https://x.org: -
        shell sort -o x y: shell(sort -o x y)
        shell printf -v 'a[$(rm x)]' y: shell(printf -v 'a[$(rm x)]' y)
        shell printf '%s' x: shell(printf *)
        shell uniq a b: shell(uniq a b)
        edit_file src/a/b.rs: edit(src/**)
        edit_file README.md: edit(README.md)
        edit_file .github/workflows/a.yml: edit(.github/workflows/a.yml)
        edit_file ../x: -
        edit_file .git/config: -
        fetch https://x.org/a: fetch(domain:x.org)
        fetch https://a@x.org/a: -
        fetch https:/X.org: fetch(domain:x.org)
        fetch http://[::1]/: fetch(domain:[::1])
        mcp__a__b: mcp__a__b
        mine: mine
    "#]]
    .assert_eq(&shown);
}

/// Ways to run `rm`.
const SPELLED: [&str; 39] = [
    "rm -rf x",
    "/bin/rm x",
    "\"rm\" x",
    "r\\m x",
    "sudo rm x",
    "A=1 rm x",
    "sh -c 'rm x'",
    "xargs rm",
    "find . -exec rm {} ;",
    "$X rm x",
    "time -p rm -rf x",
    "time -- rm x",
    "\\time -f x rm x",
    "A=1 time rm x",
    "time { rm x; }",
    "rm{,} -rf x",
    "A=1 {rm,-rf,x}",
    "! {rm,-rf,x}",
    "sudo {rm,-rf,x}",
    "bash -c '{rm,-rf,x}'",
    "bash -o pipefail <<< 'rm -rf x'",
    "bash -s y << X\nrm x\nX\n",
    "echo 'rm x' | bash -o errexit",
    "bash -euo pipefail <<< 'rm x'",
    "bash /dev/stdin <<< 'rm x'",
    "bash -x /dev/fd/0 <<< 'rm x'",
    "echo 'rm x' | sudo sh",
    "echo 'rm x' | env -i bash",
    "time bash <<< 'rm x'",
    "sudo -s <<< 'rm x'",
    "su - <<< 'rm x'",
    "echo 'rm x' | xargs env",
    "echo 'rm x' | xargs -0 sh -c",
    "echo 'rm x' | parallel",
    "command . x",
    "command bash -v <<< 'rm x'",
    "{fd}>x rm -rf y",
    "true &>x rm y",
    "bash -c sh <<< 'rm x'",
];

#[test]
fn a_denied_command_is_refused_or_asked_about_however_it_is_spelled() {
    let permissions = permissions(Mode::Yolo, &["deny shell(rm *)"]);
    for spelled in SPELLED {
        for how in 0..9 {
            let line = wrapped(spelled.to_owned(), how);
            assert!(!runs(&permissions, &format!("shell {line}")), "{line:?}");
        }
    }
}

/// Commands that the rules of the laws allow.
fn allowed() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "git status",
        "git log -3",
        "cargo test",
        "git commit -m 'x y'",
        "cargo test 2>&1",
    ])
    .prop_map(str::to_owned)
}

/// Commands that they do not.
fn forbidden() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "rm -rf x",
        "curl x.org",
        "sh",
        "python3 -c 'x'",
        "X=1 git log",
        "git -c a=b log",
        "./git log",
        "eval x",
        "\"rm\" x",
        "r\\m x",
        "'sh' -c x",
        "env git log",
        "git log > x",
        "exec git",
        "cargo  run",
    ]);
    words.prop_map(str::to_owned)
}

fn glue() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["&&", "||", ";", "|", "|&", "&", "\n", " ; ", " && \\\n", "\n\n", ";\t"])
        .prop_map(str::to_owned)
}

fn wrapped(line: String, how: usize) -> String {
    match how {
        0 => line,
        1 => format!("({line})"),
        2 => format!("{{ {line}; }}"),
        3 => format!("git log $({line})"),
        4 => format!("git log `{line}`"),
        5 => format!("git log \"$({line})\""),
        6 => format!("if true; then {line}; fi"),
        7 => format!("git log <({line})"),
        _ => format!("git status # x\n{line}"),
    }
}

proptest! {
    #[test]
    fn a_line_with_an_allowed_and_a_denied_part_is_not_allowed(
        before in prop::collection::vec((allowed(), glue()), 0..3),
        bad in forbidden(),
        after in prop::collection::vec((glue(), allowed()), 0..3),
        how in 0..9_usize,
    ) {
        let mut line: String = before.iter().map(|(part, glue)| format!("{part} {glue} ")).collect();
        line.push_str(&wrapped(bad, how));
        line.extend(after.iter().map(|(glue, part)| format!(" {glue} {part}")));
        let permissions = permissions(Mode::Ask, &["allow shell(git *)", "allow shell(cargo test *)"]);
        prop_assert!(!runs(&permissions, &format!("shell {line}")), "{line:?}");
    }

    #[test]
    fn a_line_of_allowed_parts_is_allowed(
        first in allowed(),
        rest in prop::collection::vec((glue(), allowed()), 0..4),
    ) {
        let mut line = first;
        line.extend(rest.iter().map(|(glue, part)| format!(" {glue} {part}")));
        let permissions = permissions(Mode::Ask, &["allow shell(git *)", "allow shell(cargo test *)"]);
        prop_assert!(runs(&permissions, &format!("shell {line}")), "{line:?}");
    }

    #[test]
    fn a_denied_part_is_refused_or_asked_about_anywhere_in_a_line(
        before in prop::collection::vec((allowed(), glue()), 0..3),
        how in 0..9_usize,
        spelled in prop::sample::select(&SPELLED[..]),
    ) {
        let mut line: String = before.iter().map(|(part, glue)| format!("{part} {glue} ")).collect();
        line.push_str(&wrapped(spelled.to_owned(), how));
        let permissions = permissions(Mode::Yolo, &["deny shell(rm *)"]);
        prop_assert!(!runs(&permissions, &format!("shell {line}")), "{line:?}");
    }

    #[test]
    fn dots_lead_neither_into_denied_nor_out_of_allowed_folders(parts in prop::collection::vec(
        prop::sample::select(vec!["..", ".", "src", "secret", "a", ""]), 1..8)
    ) {
        let path = parts.join("/");
        let lands = parts.iter().enumerate().fold(
            if path.starts_with('/') { Vec::new() } else { vec!["w"] },
            |mut place, (_, part)| {
                match *part {
                    "" | "." => {}
                    ".." => { place.pop(); }
                    part => place.push(part),
                }
                place
            },
        );
        let text = format!("edit_file {path}");
        let allowed = permissions(Mode::Ask, &["allow edit(src/**)"]);
        prop_assert_eq!(runs(&allowed, &text), lands.starts_with(&["w", "src"]) && lands.len() > 1, "{}", path);
        let denied = permissions(Mode::Yolo, &["deny edit(secret/**)"]);
        prop_assert_eq!(runs(&denied, &text), !(lands.starts_with(&["w", "secret"])), "{}", path);
    }
}
