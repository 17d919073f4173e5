//! Which lines are headings.

use super::*;

#[test]
fn a_heading_has_a_mark_and_a_name() {
    for (line, expected) in [
        ("## Now", Some("now")),
        ("  **Now** ", Some("now** ")),
        ("2. Now", Some("now")),
        ("3) Done: all", Some("done: all")),
        ("Now", None),
        ("- Now", None),
        ("*Now*", None),
        ("##", None),
        ("12.", None),
        ("", None),
    ] {
        assert_eq!(heading(line).as_deref(), expected.map(str::trim_end), "{line}");
    }
}

#[test]
fn the_first_heading_that_is_missing_is_named() {
    let template = Template { name: "t", prompt: "in {{budget}} tokens", headings: &["Now", "Done"] };
    for (text, expected) in [
        ("# now\n# Done so far", None),
        ("# Done\nNow I continue", Some("Now")),
        ("# Now", Some("Done")),
        ("", Some("Now")),
    ] {
        assert_eq!(template.missing_heading(text), expected, "{text}");
    }
    assert_eq!(template.prompt(40), "in 40 tokens");
}
