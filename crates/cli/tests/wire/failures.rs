//! What becomes of a turn when the mock fails.

use throughline_agent::Event;
use throughline_completion::ModelError;
use throughline_providers::http::Key;

use crate::for_each_protocol;
use crate::mocked::Mocked;
use crate::protocol::Protocol;
use crate::session::{FIRST_WAIT, TRIES};

for_each_protocol!(
    too_many_requests,
    an_error_inside,
    a_wrong_key,
    nonsense_instead_of_an_answer,
    no_answer_at_all,
    half_a_character,
    an_answer_that_breaks_off,
    a_call_that_breaks_off,
);

async fn too_many_requests(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "limited").await;
    let turn = session.turn("Please hurry.").await;
    assert_eq!(turn.text(), "At the second try.");
    assert_eq!(turn.waits(), [1_000], "the provider's word about the wait");
    let journal = session.journal();
    assert_eq!(session.statuses(), [429, 200]);
    let at = |entry: usize| journal[entry]["timestamp"].as_u64().unwrap();
    assert!(at(1) - at(0) >= 1_000, "{} ms", at(1) - at(0));
    session.assert_usable().await;
}

async fn an_error_inside(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "error").await;
    let turn = session.turn("Please fail inside.").await;
    let ModelError::Unavailable { message, .. } = turn.error() else { panic!("{turn:?}") };
    assert!(message.contains("Something broke inside."), "{message}");
    let first = FIRST_WAIT.as_millis() as u64;
    let waits = turn.waits();
    assert!(waits.len() == TRIES - 1 && waits[0] <= first && waits[1] <= 2 * first, "{waits:?}");
    assert!(waits[0] >= first * 3 / 4 && waits[1] >= first * 3 / 2, "{waits:?}");
    assert_eq!(session.statuses(), [500; TRIES]);
    nothing_is_kept(session, "Please fail inside.").await;
}

async fn a_wrong_key(protocol: Protocol) {
    const WRONG: &str = "mock-key-4712";
    let mut session =
        Mocked::open_with(protocol, "key", |client| client.endpoint.key = Some(Key::new(WRONG))).await;
    let turn = session.turn("Please say hello.").await;
    assert!(matches!(turn.error(), ModelError::Unauthorized { .. }), "{turn:?}");
    assert_eq!(turn.waits(), [0; 0], "a key does not become right");
    assert!(!format!("{turn:?}").contains(WRONG));
    assert_eq!(session.said_by_the_model().await, "");
    // A request without a key is not even recorded.
    assert_eq!(session.statuses(), [0; 0]);
}

async fn nonsense_instead_of_an_answer(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "nonsense").await;
    let turn = session.turn("Please speak nonsense.").await;
    let tries = match (protocol, turn.error()) {
        // It comes as JSON, which Ollama's answers are.
        (Protocol::Ollama, ModelError::Interrupted { message }) if message.contains("no JSON") => TRIES,
        (_, ModelError::InvalidRequest { message }) if message.contains("no JSON") => 1,
        _ => panic!("{turn:?}"),
    };
    assert_eq!(session.statuses(), vec![200; tries]);
    nothing_is_kept(session, "Please speak nonsense.").await;
}

async fn no_answer_at_all(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "silence").await;
    let turn = session.turn("Please hang up at once.").await;
    let ModelError::Unavailable { message, .. } = turn.error() else { panic!("{turn:?}") };
    assert!(message.contains("closed the connection"), "{message}");
    assert_eq!(turn.waits().len(), TRIES - 1);
    assert_eq!(session.statuses(), [0; TRIES]);
    nothing_is_kept(session, "Please hang up at once.").await;
}

/// The mock counts its pieces in units of UTF-16, and so sends half of a character where a piece ends within one.
async fn half_a_character(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "half").await;
    let turn = session.turn("Please cut a character in two.").await;
    assert!(turn.text().starts_with("so ") && !turn.text().contains('\u{fffd}'), "{turn:?}");
    assert!(turn.text().chars().any(|letter| letter > '\u{ffff}'), "the character is whole: {turn:?}");
    assert_eq!(session.statuses(), [200]);
}

async fn an_answer_that_breaks_off(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "broken").await;
    let turn = session.turn("Please break off.").await;
    assert!(matches!(turn.error(), ModelError::Interrupted { .. }), "{turn:?}");
    assert!(turn.shown().starts_with("A long answer "), "{turn:?}");
    assert_eq!(turn.withdrawn(), TRIES - 1, "each try but the last, whose text is the error's");
    let journal = session.journal();
    assert_eq!(journal.len(), TRIES);
    assert_eq!(journal[0]["response"]["interruptReason"], "truncateAfterChunks");
    nothing_is_kept(session, "Please break off.").await;
}

async fn a_call_that_breaks_off(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "torn").await;
    let turn = session.turn("Please tear a call.").await;
    assert!(matches!(turn.error(), ModelError::Interrupted { .. }), "{turn:?}");
    assert_eq!(turn.shown(), "I climb.".repeat(TRIES));
    assert!(!turn.events().any(|event| matches!(event, Event::ToolStarted { .. })), "{turn:?}");
    assert_eq!(session.journal().len(), TRIES);
    nothing_is_kept(session, "Please tear a call.").await;
}

/// The log has the user's message and nothing of an answer; then the session continues.
async fn nothing_is_kept(session: Mocked, asked: &str) {
    assert_eq!(session.transcript(), format!("user: {asked}\n"));
    assert_eq!(session.said_by_the_model().await, "");
    session.assert_usable().await;
}
