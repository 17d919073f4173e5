//! Hooks are answered through the public interface, without a program: with payloads as the agents have sent them.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_config::{Config, ConfigSources};
use throughline_conversation::SessionId;
use throughline_stored::{DeletedSessions, FOREIGN_AGENTS, Storage};
use throughline_watch::{CompactorNotes, ForeignAgent, HookAnswer, HookPayload, WatchSettings, answer};

const CLAUDE_BASH: &str = include_str!("../recordings/hooks/claude_bash.json");
const CODEX_BASH: &str = include_str!("../recordings/hooks/codex_bash.json");
const FIRST_STOP: &str = include_str!("../recordings/hooks/claude_first_stop.jsonl");
const COMPACTIONS: &str = include_str!("../recordings/claude_compactions.jsonl");
const ID: &str = "5f1e1f54-aaaa-4a60-a551-14b836a1ad82";

/// A program that has the storage and the settings open.
struct Host {
    folder: TempDir,
    storage: Storage,
}

impl Host {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
        Self { folder, storage }
    }

    fn transcript(&self) -> PathBuf {
        self.folder.path().join(format!("{ID}.jsonl"))
    }

    fn settings(&self, text: &str) -> WatchSettings {
        let file = self.folder.path().join("settings.toml");
        fs::write(&file, text).unwrap();
        let sources = ConfigSources {
            file: Some(&file),
            workspace: Some(self.folder.path()),
            data_dir: Some(self.storage.folder.root().to_owned()),
            ..ConfigSources::default()
        };
        WatchSettings::of(&Config::load(sources).unwrap(), None).unwrap()
    }

    /// Answers a payload of an agent.
    async fn answer_with(&self, agent: ForeignAgent, payload: &str, settings: &str) -> HookAnswer {
        let payload = HookPayload::parse(payload.as_bytes()).unwrap();
        answer(agent, &payload, &self.storage, &self.settings(settings)).await.unwrap()
    }

    /// Answers an event of Claude Code about the transcript.
    async fn event(&self, event: &str, more: &Value, settings: &str) -> HookAnswer {
        let mut payload =
            json!({"session_id": ID, "transcript_path": self.transcript(), "hook_event_name": event});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.answer_with(ForeignAgent::Claude, &payload.to_string(), settings).await
    }

    /// A recorded payload with this text as the result.
    fn recorded(&self, payload: &str, text: &str) -> String {
        let quoted = Value::from(text).to_string();
        payload
            .replace("{{session}}", ID)
            .replace("{{transcript}}", &self.transcript().display().to_string())
            .replace("{{work}}", &self.folder.path().display().to_string())
            .replace("\"{{text}}\"", &quoted)
    }

    async fn sessions(&self) -> Vec<String> {
        self.storage.sessions().await.unwrap().iter().map(|one| one.info.id.to_string()).collect()
    }
}

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

/// A session of Claude Code with many steps; the last one calls twice.
fn many_steps() -> String {
    let (mut lines, mut last) = (String::new(), Value::Null);
    let mut push = |kind: &str, id: &str, content: Value| {
        let number = lines.lines().count();
        let message = json!({"id": id, "role": kind, "model": "claude-sonnet-4-5", "content": content});
        let line = json!({"type": kind, "uuid": format!("u{number}"), "parentUuid": last, "sessionId": ID, "message": message});
        last = line.get("uuid").cloned().unwrap_or_default();
        lines.push_str(&format!("{line}\n"));
    };
    push("user", "", json!("Fix the parser. Rule: never delete a.txt."));
    for step in 1..=24 {
        let calls: Vec<String> =
            (0..=usize::from(step == 24)).map(|call| format!("t{step}_{call}")).collect();
        for call in &calls {
            let input = json!({"command": format!("grep -n name_{step} src/parser_{step}.rs")});
            push(
                "assistant",
                &format!("m{step}"),
                json!([{"type": "tool_use", "id": call, "name": "Bash", "input": input}]),
            );
        }
        for call in &calls {
            let text = format!("{step}: {}", "a line of a large result\n".repeat(300));
            push("user", "", json!([{"type": "tool_result", "tool_use_id": call, "content": text}]));
        }
    }
    lines
}

fn session() -> SessionId {
    SessionId::new(format!("claude-{ID}")).unwrap()
}

/// What the module asks.
fn asked(more: &Value) -> Value {
    let mut asked = json!({"trigger": "auto", "window": 60_000, "answered": ["t24_0", "t24_1"]});
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "compaction": asked })
}

#[tokio::test]
async fn a_compaction_of_claude_code_is_answered_with_our_view_and_no_context_follows() {
    let host = Host::new().await;
    fs::write(host.transcript(), many_steps()).unwrap();
    let answered = host.event("SessionCompact", &asked(&json!({})), "").await.output.unwrap();
    let summary = answered["summary"].as_str().unwrap();
    assert!(summary.starts_with("[Previous Session Context]\nCurrent task: Fix the parser."), "{summary}");
    assert!(summary.contains("parser_1.rs") && summary.contains(&format!("claude-{ID}")), "{summary}");
    let rows = answered["rows"].as_array().unwrap();
    let [.., calls, results] = rows.as_slice() else { panic!("{rows:?}") };
    let ids = |row: &Value, key: &str| -> Vec<String> {
        let all = row[key].as_array().unwrap().iter();
        all.map(|one| one["tool_use_id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(calls, "toolUses"), ["t24_0", "t24_1"], "parallel calls are one row");
    assert_eq!(ids(results, "toolResults"), ["t24_0", "t24_1"]);
    assert!(rows.len() < 24, "{}", rows.len());
    assert_eq!(host.sessions().await, [format!("claude-{ID}")], "the whole conversation is stored");
    let notes = CompactorNotes::read(host.storage.folder.root(), &session()).unwrap();
    assert_eq!((notes.compactions.len(), notes.compactions[0].problem.as_deref()), (1, None));
    let next = host.event("SessionStart", &json!({"source": "compact"}), "").await;
    assert_eq!(next, HookAnswer::default(), "the agent has it already");
    let next = host.event("SessionStart", &json!({"source": "compact"}), "").await;
    assert!(next.output.is_some(), "this one was made by the agent itself");
}

#[tokio::test]
async fn an_open_turn_of_a_thinking_model_is_a_text() {
    let host = Host::new().await;
    fs::write(host.transcript(), many_steps()).unwrap();
    let answered =
        host.event("SessionCompact", &asked(&json!({"is_thinking": true})), "").await.output.unwrap();
    assert_eq!(answered["rows"], json!([]));
    let summary = answered["summary"].as_str().unwrap();
    let (_, end) = summary.split_once("The last steps:").unwrap();
    assert!(end.contains("grep -n name_24") && end.contains("24: a line"), "{end}");
}

#[tokio::test]
async fn a_compaction_without_its_newest_result_is_left_to_the_agent() {
    let host = Host::new().await;
    fs::write(host.transcript(), many_steps()).unwrap();
    let mut payload =
        json!({"session_id": ID, "transcript_path": host.transcript(), "hook_event_name": "SessionCompact"});
    payload["compaction"] = asked(&json!({"answered": ["t25_0"]}))["compaction"].clone();
    let parsed = HookPayload::parse(payload.to_string().as_bytes()).unwrap();
    let refused = answer(ForeignAgent::Claude, &parsed, &host.storage, &host.settings("")).await.unwrap_err();
    assert!(refused.to_string().contains("has no result of call t25_0 yet"), "{refused}");
    let notes = CompactorNotes::read(host.storage.folder.root(), &session()).unwrap();
    assert!(notes.compactions[0].problem.as_deref().unwrap().contains("t25_0"));
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
    host.storage.delete_session(&session, lock).await.unwrap();
    host.event("Stop", &json!({}), "").await;
    assert!(host.sessions().await.is_empty());
    assert!(DeletedSessions::in_folder(host.storage.folder.root()).contains(&session).unwrap());
}

#[test]
fn the_storage_knows_the_sessions_of_every_agent() {
    assert_eq!(ForeignAgent::ALL.map(ForeignAgent::name), FOREIGN_AGENTS);
}
