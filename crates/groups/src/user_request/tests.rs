//! What the user asked for.

use throughline_conversation::{ContentBlock, Message, Role};

use super::user_request;

fn message(texts: &[&str]) -> Message {
    let block = |text: &&str| ContentBlock::Text { text: (*text).to_owned() };
    Message { role: Role::User, content: texts.iter().map(block).collect() }
}

#[test]
fn notes_of_another_agent_are_not_the_request_of_the_user() {
    let noted = message(&["<command-name>/compact</command-name>", "Now test it.", "\n<note>x</note>"]);
    assert_eq!(user_request(&noted).as_deref(), Some("Now test it."));
    assert_eq!(user_request(&message(&["<command-name>/clear</command-name>", "<note>x</note>"])), None);
}

#[test]
fn a_command_that_the_user_has_run_is_no_request() {
    let run = "<bash-input>npm test</bash-input>";
    assert_eq!(user_request(&message(&[run])), None);
    assert_eq!(user_request(&message(&[run, "Fix it."])).as_deref(), Some("Fix it."));
}

#[test]
fn a_command_with_a_prompt_is_the_request_that_its_user_typed() {
    let typed = "<command-message>gsd:plan</command-message>\n<command-name>/gsd:plan</command-name>\n<command-args>14</command-args>";
    let sent = message(&[
        "<local-command-stdout></local-command-stdout>",
        typed,
        "<objective>Plan the phase.</objective>",
    ]);
    assert_eq!(user_request(&sent).as_deref(), Some("/gsd:plan 14"));
}

#[test]
fn a_lone_markup_is_the_request() {
    assert_eq!(
        user_request(&message(&["<p>Why is this wrong?</p>"])).as_deref(),
        Some("<p>Why is this wrong?</p>")
    );
    assert_eq!(user_request(&message(&[" "])), None);
}

#[test]
fn a_lone_note_of_another_agent_is_no_request() {
    assert_eq!(user_request(&message(&["Base directory for this skill: /skills/birds\n\nLook up."])), None);
    assert_eq!(user_request(&message(&["<local-command-caveat>Caveat</local-command-caveat>"])), None);
}
