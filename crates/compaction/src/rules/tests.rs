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
fn an_excerpt_is_read_back() {
    assert_eq!(without_marks(&excerpt("never do this")), "never do this");
    assert_eq!(without_marks("[…] a text of the user"), "[…] a text of the user");
}
