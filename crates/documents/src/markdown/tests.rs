//! Lines, fences, headings, items.

use super::{checkbox, heading, is_rule, item, lines};

/// Each line with `|` in front, code with `#`.
fn marked(text: &str) -> String {
    let mark = |line: super::Line<'_>| format!("{}{}", if line.fenced { '#' } else { '|' }, line.text);
    lines(text, "SIG:").map(mark).collect::<Vec<_>>().join("\n")
}

#[test]
fn fences() {
    let check = |text: &str, expect: expect_test::Expect| expect.assert_eq(&marked(text));
    check("a\n```rust\nb\n```\nc", expect_test::expect!["|a\n#```rust\n#b\n#```\n|c"]);
    // Other marks and shorter ones do not close, longer ones do.
    check("~~~\n```\n~~\n~~~~ \nc", expect_test::expect!["#~~~\n#```\n#~~\n#~~~~ \n|c"]);
    // With words behind it is no end.
    check("```\n```x\n```\nc", expect_test::expect!["#```\n#```x\n#```\n|c"]);
    // Code within a line is no fence.
    check("```a``` b\nc", expect_test::expect!["|```a``` b\n|c"]);
    // In a list, at any depth.
    check("- ```\n  b\n  ```\nc", expect_test::expect!["#- ```\n#  b\n#  ```\n|c"]);
    check("      ```\nb\n  ```\nc", expect_test::expect!["#      ```\n#b\n#  ```\n|c"]);
    // Quoted ones are only quoted.
    check("> ```\nc", expect_test::expect!["|> ```\n|c"]);
    // Behind a lead.
    check("SIG:```\nb\n```\nc", expect_test::expect!["|SIG:```\n#b\n#```\n|c"]);
    check("a\r\n```\r\nb\r\n```\r\nc\r\n", expect_test::expect!["|a\n#```\n#b\n#```\n|c"]);
}

#[test]
fn an_open_fence_is_known() {
    let mut all = lines("ab\n```\nc", "");
    assert_eq!(all.by_ref().count(), 3);
    assert_eq!(all.open(), Some(3), "the fence begins behind \"ab\" and its newline");
    let mut all = lines("ab\n```\nc\n```", "");
    assert_eq!(all.by_ref().count(), 4);
    assert_eq!(all.open(), None);
}

#[test]
fn headings() {
    assert_eq!(heading("## Plan"), Some((2, "Plan")));
    assert_eq!(heading("   ### Plan ###  "), Some((3, "Plan")));
    assert_eq!(heading("# C#"), Some((1, "C#")));
    assert_eq!(heading("##"), Some((2, "")));
    for none in ["##Plan", "    # code", "####### seven", "Plan", ""] {
        assert_eq!(heading(none), None, "{none:?}");
    }
}

#[test]
fn rules() {
    assert!(is_rule("---") && is_rule("  ------ "));
    assert!(!is_rule("--") && !is_rule("--- a") && !is_rule(""));
}

#[test]
fn items() {
    let text = |line| item(line).map(|item| (item.indent, item.text));
    assert_eq!(text("- a"), Some((0, "a")));
    assert_eq!(text("  * a "), Some((2, "a")));
    assert_eq!(text("12. a"), Some((0, "a")));
    assert_eq!(text("3) a"), Some((0, "a")));
    assert_eq!(text("-"), Some((0, "")));
    for none in ["-a", "1.5 is more", ". a", "**a**", "a", "", "1234567890. a"] {
        assert_eq!(text(none), None, "{none:?}");
    }
}

#[test]
fn boxes() {
    assert_eq!(checkbox("[x] a"), Some(('x', "a")));
    assert_eq!(checkbox("[ ] a"), Some((' ', "a")));
    assert_eq!(checkbox("[ ]"), Some((' ', "")));
    for none in ["[a](b)", "[]", "x", "[xx] a", "[x"] {
        assert_eq!(checkbox(none), None, "{none:?}");
    }
}
