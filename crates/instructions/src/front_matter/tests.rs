//! The forms in which name and description are written.

use expect_test::{Expect, expect};
use proptest::prelude::{ProptestConfig, proptest};

use super::parse;

#[track_caller]
fn description(written: &str, read: &str) {
    let text = format!("---\nname: a-1\ndescription:{written}\nlicense: MIT\n---\n\nBody.\n");
    let front = parse(&text).unwrap();
    assert_eq!(
        (front.name.as_str(), front.description.as_str(), front.body.as_str()),
        ("a-1", read, "Body.")
    );
}

#[test]
fn all_the_usual_ways() {
    description(" Fixes code.", "Fixes code.");
    description(" Use for C#: it is fine. # a comment", "Use for C#: it is fine.");
    description(" \"Says \\\"no\\\": # never\" # a comment", "Says \"no\": # never");
    description(" 'It''s fine'", "It's fine");
    description(" plain text\n  over two lines", "plain text over two lines");
    description(" \"quoted text\n  over two lines\"", "quoted text over two lines");
    description(" >-\n  folded\n  text\n", "folded text");
    description(" |\n  kept\n    text", "kept text");
    description("\n  below its key", "below its key");
}

#[test]
fn other_keys_and_windows_line_ends_are_no_trouble() {
    let text = "---\nmetadata:\n  name: not-this\nname: this  \nallowed-tools: [a, b]\ndescription: d\n---\n\n# Title\n---\nend\n";
    let front = parse(text).unwrap();
    assert_eq!((front.name.as_str(), front.body.as_str()), ("this", "# Title\n---\nend"));
}

#[track_caller]
fn refused(text: &str, why: &Expect) {
    why.assert_eq(&parse(text).unwrap_err().to_string());
}

#[test]
fn an_error_names_the_place_and_the_fix() {
    refused(
        "",
        &expect![
            "it has no front matter: begin the file with a line ---, then name and description, then a line ---"
        ],
    );
    refused(
        "# Title\n---\nname: x\n---\n",
        &expect![
            "it has no front matter: begin the file with a line ---, then name and description, then a line ---"
        ],
    );
    refused("---\nname: x\n", &expect!["its front matter has no end: put a line --- behind the description"]);
    refused(
        "---\ndescription: x\n---\nb",
        &expect![[r#"its front matter has no name: add a line "name: …""#]],
    );
    refused(
        "---\nname: x\n---\nb",
        &expect![[r#"its front matter has no description: add a line "description: …""#]],
    );
    refused(
        "---\nname: x\ndescription:\n---\nb",
        &expect![[r#"its front matter has no description: add a line "description: …""#]],
    );
    refused(
        "---\nname: My Skill\ndescription: x\n---\nb",
        &expect![[r#"its name "My Skill" is not valid: use 1 to 64 of the characters a-z, 0-9 and -"#]],
    );
    refused(
        "---\nname: ../x\ndescription: x\n---\nb",
        &expect![[r#"its name "../x" is not valid: use 1 to 64 of the characters a-z, 0-9 and -"#]],
    );
    refused(
        "---\nname: x\nname: y\ndescription: x\n---\nb",
        &expect!["line 3: this key stands here for the second time; leave one"],
    );
    refused(
        "---\nname: x\ndescription: [a]\n---\nb",
        &expect!["line 3: a text that begins with a special character needs quotes"],
    );
    refused("---\nname: x\ndescription: \"a\n---\nb", &expect!["line 3: a quote is not closed"]);
    refused(
        "---\nname: x\ndescription: > text\n---\nb",
        &expect!["line 3: a text behind | or > begins on the next line"],
    );
    refused("---\nname: x\ndescription: y\n---\n \n", &expect!["it has no text behind the front matter"]);
    let long = format!("---\nname: x\ndescription: {}\n---\nb", "é".repeat(1_025));
    refused(&long, &expect!["its description has 1025 characters; shorten it to 1024"]);
    let long = format!("---\nname: {}\ndescription: d\n---\nb", "x".repeat(65));
    assert!(parse(&long).unwrap_err().to_string().ends_with("use 1 to 64 of the characters a-z, 0-9 and -"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_text_is_read_or_refused(text in "(---\n)?(name|description|x|[ \"'>|#:\\-a\\\\]){0,40}\n?(---)?[\na]{0,5}") {
        let _ = parse(&text);
    }
}
