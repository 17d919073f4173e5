//! Which lines look like errors.

use expect_test::{Expect, expect};

use super::{judge, pick};

fn check(text: &str, most: usize, after: &Expect) {
    let (lines, found) = pick(text.as_bytes(), 1, most);
    let mut out = format!("of {found}\n");
    for line in lines {
        out.push_str(&format!("{}: {}\n", line.number, line.text));
    }
    after.assert_eq(&out);
}

#[test]
fn what_looks_like_an_error() {
    for line in [
        "error[E0308]: mismatched types",
        "  File \"a.py\", line 3: TypeError: x",
        "java.io.IOException: closed",
        "--- FAIL: TestParse (0.00s)",
        "thread 'main' panicked at src/a.rs:3",
        "Traceback (most recent call last):",
        "process exited with 101",
        "exit status 2",
        "test result: FAILED. 3 passed; 1 failed",
        "bash: /root/x: Permission denied",
        "2024-01-01 ERROR pool: lost",
        "warning: 0 errors but 2 failed",
        "a.c:3: warning: unused variable",
        "npm WARN deprecated left-pad@1.0.0",
    ] {
        assert!(judge(line).is_some(), "{line}");
    }
}

#[test]
fn what_does_not() {
    for line in [
        "test result: ok. 5 passed; 0 failed; 0 ignored",
        "Build finished with no errors",
        "errors: 0, warnings: 0",
        "fn error_lines(max_errors_shown: usize) {}",
        "exit status 0",
        "the mirror is terrific",
        "",
    ] {
        assert_eq!(judge(line), None, "{line}");
    }
}

#[test]
fn failures_come_before_warnings_and_lines_stay_in_order() {
    check(
        "warning: a\nok\nerror: b\nwarning: c\nerror: d\nerror: b\n",
        3,
        &expect![[r#"
            of 4
            1: warning: a
            3: error: b
            5: error: d
        "#]],
    );
    check(
        "warning: a\nerror: b\n",
        1,
        &expect![[r#"
        of 2
        2: error: b
    "#]],
    );
    check(
        "error: b\n",
        0,
        &expect![[r#"
        of 1
    "#]],
    );
}

#[test]
fn a_long_line_is_cut_around_what_makes_it_an_error() {
    let text = format!("{}{{\"error\":\"no such table\"}}{}", "{\"ok\":1},".repeat(100), "x".repeat(500));
    let (lines, _) = pick(text.as_bytes(), 7, 1);
    assert_eq!(lines[0].number, 7);
    assert!(lines[0].text.contains("no such table"), "{}", lines[0].text);
    assert!(lines[0].text.len() <= 200 + 2 * "…".len());
}
