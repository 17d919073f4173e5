//! Which sentences are rules.

use super::*;

#[test]
fn a_short_message_is_a_rule_as_a_whole() {
    assert_eq!(rules_of("Never touch vendor/legacy."), ["Never touch vendor/legacy."]);
    assert_eq!(rules_of("Use at most 2 MB of memory"), ["Use at most 2 MB of memory"]);
    assert!(rules_of("Continue with part 4.").is_empty());
}

#[test]
fn of_a_long_message_the_sentences_that_state_rules_are() {
    let filler =
        "The backend was written long before and has many parts that few people know well. ".repeat(8);
    let text = format!(
        "{filler}Do not add a dependency without asking me. {filler}\n- always run the smoke tests\n\
         ```\nassert!(only_once);\n```\n> you must upload the key\n{filler}"
    );
    assert_eq!(
        rules_of(&text),
        ["Do not add a dependency without asking me.", "- always run the smoke tests"]
    );
}

#[test]
fn a_file_has_no_rules() {
    let text = format!("{}\nnever do this", "line of a pasted file\n".repeat(1_000));
    assert!(rules_of(&text).is_empty());
}

#[test]
fn how_long_a_text_is_decides_what_is_read_of_it() {
    let text = |bytes: usize, rule: &str| format!("{}. {rule}", "a".repeat(bytes - rule.len() - 2));
    const RULE: &str = "Never touch vendor/";
    for bytes in [100, 500] {
        let whole = text(bytes, RULE);
        assert_eq!(rules_of(&whole), [whole.as_str()], "{bytes}");
    }
    for (bytes, count) in [(501, 1), (20_000, 1), (20_001, 0)] {
        let long = text(bytes, RULE);
        let expected: Vec<&str> = std::iter::repeat_n(RULE, count).collect();
        assert_eq!(rules_of(&long), expected, "{bytes}");
    }
    assert_eq!(rules_of(&text(600, "never do x")), ["never do x"]);
    assert!(rules_of(&text(600, "never do.")).is_empty());
}

#[test]
fn a_long_text_has_twelve_rules_at_most() {
    let rules: Vec<String> =
        (0..13).map(|number| format!("- never touch folder {number:02} of it all")).collect();
    let text = rules.join("\n");
    assert!(text.len() <= 500 && is_rule(&text));
    let long = format!("{}\n{text}", "a".repeat(500));
    assert_eq!(rules_of(&long), rules.get(..12).unwrap());
}

#[test]
fn lines_of_code_quotes_and_tables_state_no_rules() {
    let filler = "a".repeat(500);
    for (line, count) in [
        ("always run the tests! But never alone. So", 2),
        ("  always run the tests", 1),
        ("    always run the tests", 0),
        ("\talways run the tests", 0),
        ("> always run the tests", 0),
        ("| always run the tests |", 0),
        ("```\nalways run the tests\n```", 0),
        ("```\ncode\n```\nalways run the tests", 1),
    ] {
        assert_eq!(rules_of(&format!("{filler}\n{line}")).len(), count, "{line}");
    }
}

#[test]
fn a_rule_is_known_by_a_word_or_a_phrase() {
    for (text, expected) in [
        ("NEVER!", true),
        ("please don't do it", true),
        ("please don’t do it", true),
        ("(only this)", true),
        ("it has to stay", true),
        ("use no more than 2 of it", true),
        ("nevertheless, a commonly known thing", false),
        ("look at it once", false),
        ("", false),
    ] {
        assert_eq!(is_rule(text), expected, "{text}");
    }
}
