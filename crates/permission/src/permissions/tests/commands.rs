//! Rules for command lines.

use super::{decided, permissions, runs};
use crate::decision::Decision;
use crate::mode::Mode;

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
        "git archive --remote=ext::sh HEAD",
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
    let programs = [
        "printf", "test", "uniq", "tree", "rg", "pytest", "eslint", "tsc", "make", "mypy", "ctest", "split",
        "rsync", "openssl", "gpg", "patch",
    ];
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
        "split -l 10 a b",
        "rsync -av a b",
        "openssl x509 -in a -noout -text",
        "gpg --verify a",
        "patch -p1 -i a.patch",
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
        "split --filter=sh a",
        "split --filt sh a",
        "rsync --rsync-path=sh a h:b",
        "openssl req -engine /tmp/x.so",
        "openssl enc -in a -out b",
        "gpg -o x a",
        "gpg --output x a",
        "patch -o x a",
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
    assert!(matches!(decided(&denied, "shell a='b[$(rm x)]'; ((a))"), Decision::Deny { .. }));
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
