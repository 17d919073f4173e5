//! Tests of the readers, over small recordings of each format.

mod broken_off;
mod copies;
mod damaged;
mod formats;
mod own_words;
mod packed;
mod summaries;
mod times;

use std::path::Path;

use throughline_conversation::validate;

use super::{RecordingError, parse_session};
use crate::session::RecordedSession;

const CLAUDE_CODE: &[u8] = include_bytes!("../../tests/fixtures/claude-code.jsonl");
const CODEX: &[u8] = include_bytes!("../../tests/fixtures/codex.jsonl");
const OPENCODE: &[u8] = include_bytes!("../../tests/fixtures/opencode.json");
const PI: &[u8] = include_bytes!("../../tests/fixtures/pi.jsonl");
const PI_TREE: &[u8] = include_bytes!("../../tests/fixtures/pi-tree.jsonl");
const MINI: &[u8] = include_bytes!("../../tests/fixtures/mini-swe-agent.traj.json");
const SWE: &[u8] = include_bytes!("../../tests/fixtures/swe-agent.traj");
/// Written from the specification (RFC 0001 of Harbor, version 1.7), with a step of each kind.
const ATIF: &[u8] = include_bytes!("../../tests/fixtures/atif.json");
/// Written from the types of session events of Copilot's public SDK (1.0.14), with each event that is read.
const COPILOT: &[u8] = include_bytes!("../../tests/fixtures/copilot-cli.jsonl");
/// What `ConversationTypeAdapter.dump_json` of pydantic-ai 2.68 wrote after two runs of an agent with a scripted model.
const PYDANTIC_AI: &[u8] = include_bytes!("../../tests/fixtures/pydantic-ai.json");

/// In the form of version 0.61: a compaction, a rewind, and a resume after it.
const GEMINI: &[u8] = include_bytes!("../../tests/fixtures/gemini-cli.jsonl");

const ALL: [&[u8]; 11] =
    [CLAUDE_CODE, CODEX, OPENCODE, PI, PI_TREE, MINI, SWE, ATIF, COPILOT, GEMINI, PYDANTIC_AI];

/// Reads bytes, and checks what holds for every session whatever the bytes are.
fn parsed(bytes: &[u8]) -> Result<RecordedSession, RecordingError> {
    let session = parse_session(Path::new("some/recording.v1.jsonl"), bytes)?;
    let mut messages = session.messages();
    // The list may end with the model, which only the next message makes a request.
    messages.push(throughline_conversation::Message::user("next"));
    let violations = validate(&messages);
    assert!(violations.is_empty(), "{violations:?}");
    assert!(!session.turns.is_empty() && !session.id.is_empty());
    for turn in &session.turns {
        assert!(!turn.steps.is_empty() && turn.user.tool_results().next().is_none());
        for (place, step) in turn.steps.iter().enumerate() {
            let calls: Vec<&str> = step.assistant.tool_calls().map(|call| call.id.as_str()).collect();
            let mut answered: Vec<&str> = step.results.iter().map(|result| result.call_id.as_str()).collect();
            answered.sort_unstable();
            let mut asked = calls.clone();
            asked.sort_unstable();
            assert_eq!(asked, answered, "every call has its one result");
            assert!(!calls.is_empty() || place + 1 == turn.steps.len(), "only the last step has no calls");
        }
    }
    Ok(session)
}
