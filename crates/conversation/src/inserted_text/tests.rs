//! What a message has of its user.

use super::{context_to_paste, has_context, has_own_words, is_agent_note, is_inserted_text, own_text};

const CONTEXT: &str = "\n[Previous Session Context]\nCurrent task: x\nPending: \n";

#[test]
fn what_is_written_after_a_pasted_context_is_the_users_own() {
    let pasted = context_to_paste(CONTEXT);
    assert!(is_inserted_text(&pasted) && is_inserted_text(CONTEXT));
    assert_eq!((own_text(&pasted), own_text(CONTEXT)), ("", ""));
    let with_request = format!("{pasted}Now [1] fix it.\n");
    assert!(!is_inserted_text(&with_request) && !is_agent_note(&with_request));
    assert_eq!(own_text(&with_request), "Now [1] fix it.");
    assert_eq!(own_text("Fix it.\n"), "Fix it.\n");
}

#[test]
fn a_context_is_known_in_the_markup_of_a_hook_and_not_by_its_head_alone() {
    let wrapped = format!("<hook_context>{CONTEXT}</hook_context>");
    assert!(is_inserted_text(&wrapped) && has_context(&wrapped) && has_context(CONTEXT));
    assert!(!has_context("Why does it say [Previous Session Context]?"));
}

#[test]
fn words_behind_an_element_of_the_agent_are_the_users_own() {
    let reminder = "<system-reminder>\nbe brief\n</system-reminder>";
    assert!(
        !has_own_words(reminder) && !has_own_words(" ") && !has_own_words("[Request interrupted by user]")
    );
    assert!(!has_own_words("<bash-input>ls</bash-input>"));
    assert!(has_own_words(&format!("{reminder}\ndo it")) && has_own_words("do it"));
}
