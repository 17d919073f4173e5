//! Hooks are answered through the public interface, without a program: with payloads as the agents have sent them.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may fail the test")]

#[path = "answer/branches.rs"]
mod branches;
#[path = "answer/compactions.rs"]
mod compactions;
#[path = "answer/host.rs"]
mod host;
#[cfg(target_os = "linux")]
#[path = "answer/launched.rs"]
mod launched;
#[path = "answer/transcript.rs"]
mod transcript;

use std::fs;

use serde_json::{Value, json};
use throughline_stored::{DeletedSessions, FOREIGN_AGENTS, SessionHandle, SessionMemos};
use throughline_watch::{ForeignAgent, HookAnswer};

use host::{Host, ID};

const CLAUDE_BASH: &str = include_str!("../recordings/hooks/claude_bash.json");
const CODEX_BASH: &str = include_str!("../recordings/hooks/codex_bash.json");
const FIRST_STOP: &str = include_str!("../recordings/hooks/claude_first_stop.jsonl");
const COMPACTIONS: &str = include_str!("../recordings/claude_compactions.jsonl");

/// A session of Claude Code with one answer.
fn one_turn() -> String {
    let line = |number: u32, kind: &str, content: &Value| {
        let message = json!({"id": format!("m{number}"), "role": kind, "content": content});
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        let at = json!({"type": kind, "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": ID, "message": message});
        format!("{at}\n")
    };
    let said = json!([{"type": "text", "text": "It expects a comma."}]);
    line(0, "user", &json!("Fix the parser.")) + &line(1, "assistant", &said)
}

#[tokio::test]
async fn a_session_that_was_compacted_gets_its_context_back() {
    let host = Host::new().await;
    fs::write(host.transcript(), one_turn()).unwrap();
    let stop = host.event("Stop", &json!({"last_assistant_message": "It expects a comma."}), "").await;
    assert_eq!(stop, HookAnswer::default());
    assert_eq!(host.sessions().await, [format!("claude-{ID}")]);
    let compacted = host.event("SessionStart", &json!({"source": "compact"}), "").await;
    let output = compacted.output.unwrap();
    let text = output.pointer("/hookSpecificOutput/additionalContext").and_then(Value::as_str).unwrap();
    assert!(text.contains("Fix the parser.") && text.contains(&format!("claude-{ID}")), "{text}");
    let off =
        host.event("SessionStart", &json!({"source": "compact"}), "[watch]\nrestore = \"resume\"\n").await;
    assert_eq!(off, HookAnswer::default(), "the settings say when");
}

#[tokio::test]
async fn a_request_whose_answer_the_user_has_stopped_is_open() {
    let host = Host::new().await;
    let note = json!({"type": "user", "uuid": "u2", "parentUuid": "u1", "sessionId": ID,
        "message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user]"}]}});
    for (lines, is_open) in [(one_turn(), false), (format!("{}{note}\n", one_turn()), true)] {
        fs::write(host.transcript(), lines).unwrap();
        host.event("Stop", &json!({}), "").await;
        let session = host.storage.sessions().await.unwrap().remove(0).info.id;
        let handoff = SessionHandle::new(host.storage.clone(), session).handoff().await.unwrap();
        assert_eq!(handoff.last_answer.is_none(), is_open);
    }
}

#[tokio::test]
async fn a_restored_context_is_no_turn_of_its_own() {
    let host = Host::new().await;
    let line = |number: u32, kind: &str, text: &str| {
        let message =
            json!({"id": format!("m{number}"), "role": kind, "content": [{"type": "text", "text": text}]});
        let before = format!("u{}", number - 1);
        let line = json!({"type": kind, "uuid": format!("u{number}"), "parentUuid": before, "sessionId": ID, "message": message});
        format!("{line}\n")
    };
    let context = line(2, "user", "[Previous Session Context]\nCurrent task: Fix the parser.\n");
    let more = [
        context,
        line(3, "assistant", "Continuing."),
        line(4, "user", "Test it."),
        line(5, "assistant", "Done."),
    ];
    fs::write(host.transcript(), one_turn() + &more.concat()).unwrap();
    host.event("Stop", &json!({}), "").await;
    assert_eq!(host.storage.sessions().await.unwrap()[0].exchanges, 2);
}

#[tokio::test]
async fn a_transcript_without_an_answer_is_not_stored() {
    let host = Host::new().await;
    assert_eq!(host.event("Stop", &json!({}), "").await, HookAnswer::default(), "there is no file yet");
    fs::write(host.transcript(), FIRST_STOP).unwrap();
    assert_eq!(host.event("Stop", &json!({}), "").await, HookAnswer::default());
    assert!(host.sessions().await.is_empty());
}

#[tokio::test]
async fn a_recorded_compaction_is_stored_and_read() {
    let host = Host::new().await;
    fs::write(host.transcript(), COMPACTIONS).unwrap();
    let answered = host.event("SessionStart", &json!({"source": "compact"}), "").await;
    assert!(answered.output.is_some() && answered.notices.is_empty(), "{answered:?}");
    assert_eq!(host.sessions().await.len(), 1);
}

#[tokio::test]
async fn a_large_result_is_replaced_by_a_preview_and_a_small_one_is_not() {
    let host = Host::new().await;
    let numbers: String = (1..=4_000).map(|number| format!("{number}\n")).collect();
    for (agent, payload) in [(ForeignAgent::Claude, CLAUDE_BASH), (ForeignAgent::Codex, CODEX_BASH)] {
        let small = host.answer_with(agent, &host.recorded(payload, "1\n2\n"), "").await;
        assert_eq!(small, HookAnswer::default(), "{agent}");
        let large = host.answer_with(agent, &host.recorded(payload, &numbers), "").await;
        let shown = large.output.unwrap().to_string();
        assert!(shown.contains("ref_id") && shown.len() < numbers.len(), "{agent}: {shown}");
    }
}

#[tokio::test]
async fn a_session_that_the_user_has_deleted_is_not_stored_again() {
    let host = Host::new().await;
    fs::write(host.transcript(), one_turn()).unwrap();
    host.event("Stop", &json!({}), "").await;
    let session = host.storage.sessions().await.unwrap().remove(0).info.id;
    let lock = host.storage.lock(&session).await.unwrap();
    host.storage.delete_session(&session, lock, SessionMemos::Stay).await.unwrap();
    host.event("Stop", &json!({}), "").await;
    assert!(host.sessions().await.is_empty());
    assert!(DeletedSessions::in_folder(host.storage.folder.root()).contains(&session).unwrap());
}

#[test]
fn the_storage_knows_the_sessions_of_every_agent() {
    assert_eq!(ForeignAgent::ALL.map(ForeignAgent::name), FOREIGN_AGENTS);
}
