//! What the user wrote, and what was added.

use super::*;

#[test]
fn the_request_is_what_the_user_wrote() {
    let mut message = Message::user("Why does a.rs fail?");
    message.content.push(ContentBlock::attached_command("cargo test", "1 failed\n\n"));
    message.content.push(ContentBlock::attached_file("a.rs", "fn a() {}\n"));
    message.content.push(ContentBlock::Text { text: "And b.rs?".to_owned() });
    message.content.push(ContentBlock::Text { text: hook_text("UserPromptSubmit", "You must never push.") });
    message.content.push(ContentBlock::Text { text: mode_note("plan", "Nothing may be changed.\n") });
    assert_eq!(message.request_text(), "Why does a.rs fail?\nAnd b.rs?");
    assert_eq!(
        message.texts().collect::<Vec<_>>()[1..3],
        ["The user ran a command:\n$ cargo test\n1 failed", "Content of a.rs:\nfn a() {}"]
    );
    assert_eq!(message.texts().last(), Some("<mode name=\"plan\">\nNothing may be changed.\n</mode>"));
}

#[test]
fn what_a_hook_says_in_a_message_of_its_own_is_no_request() {
    let message = Message::user(hook_text("Stop", "You must run the tests."));
    assert!(message.is_of_hook() && message.request_text().is_empty());
}

#[test]
fn a_text_that_begins_like_an_attachment_is_a_request_if_it_is_the_first() {
    assert_eq!(
        Message::user("Content of the talk: plan it.").request_text(),
        "Content of the talk: plan it."
    );
}
