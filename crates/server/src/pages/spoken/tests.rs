//! What of a text is shown as code.

use super::spoken;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(spoken(text).into_string(), expected);
}

#[test]
fn code_is_marked_and_everything_is_escaped() {
    check("a `b<i>` c", "<p class=\"prose\" dir=\"auto\">a <code>b&lt;i&gt;</code> c</p>");
    check("one ` backtick", "<p class=\"prose\" dir=\"auto\">one ` backtick</p>");
    check(
        "x\n```rust\nlet <a>;\n\nb\n```\ny",
        "<p class=\"prose\" dir=\"auto\">x</p><pre class=\"code\" tabindex=\"0\">let &lt;a&gt;;\n\nb</pre><p class=\"prose\" dir=\"auto\">y</p>",
    );
    check("```\nopen", "<pre class=\"code\" tabindex=\"0\">open</pre>");
    check(
        "# A\nb\n#c",
        "<p class=\"prose strong\" dir=\"auto\"># A</p><p class=\"prose\" dir=\"auto\">b\n#c</p>",
    );
    check("", "");
}
