//! What becomes of a stored transcript that its agent changes, and of what users change in the session.

use std::time::Duration;

use serde_json::{Value, json};
use throughline_conversation::{ExchangeId, ResultRef, SessionId};
use throughline_engine::Change;
use throughline_stored::{SessionHandle, SessionWriter};
use throughline_watch::{CompactorNotes, ForeignAgent, HookPayload, answer};

use crate::host::{Host, ID};
use crate::transcript::Transcript;

const SECRET: &str = "The word is hunter2.";

fn session(end: &str) -> SessionId {
    SessionId::new(format!("claude-{ID}{end}")).unwrap()
}

/// Three turns, of which the second has a secret.
async fn three_turns(host: &Host) -> Transcript {
    let mut transcript = Transcript::new(host, "Fix the parser.");
    transcript.end("It is fixed.");
    transcript.user(SECRET);
    transcript.end("hunter2 it is.");
    transcript.user("Now the lexer.");
    transcript.end("The lexer is done.");
    stop(host).await;
    transcript
}

async fn stop(host: &Host) {
    host.event("Stop", &json!({}), "").await;
}

async fn compact(host: &Host, answered: &[String]) -> Value {
    let asked = json!({"trigger": "auto", "window": 60_000, "answered": answered});
    host.event("SessionCompact", &json!({ "compaction": asked }), "").await.output.unwrap()
}

/// The context that the agent gets after a compaction of its own.
async fn context(host: &Host) -> String {
    host.event("SessionStart", &json!({"source": "compact"}), "").await.output.unwrap().to_string()
}

/// All that is stored of a session, as a text.
async fn stored(host: &Host, session: &SessionId) -> String {
    let mut text = String::new();
    for record in host.storage.records(session).await.unwrap() {
        text.push_str(&serde_json::to_string(&record).unwrap());
    }
    for result in host.storage.results().list(session).await.unwrap() {
        let result = host.storage.results().get(session, &result.id).await.unwrap().unwrap();
        text.push_str(&String::from_utf8_lossy(&result.content));
    }
    text
}

/// The references of stored results in a text.
fn references(text: &str) -> Vec<ResultRef> {
    let starts = text.match_indices("r-").filter_map(|(at, _)| text.get(at..at + 18));
    let hex = |name: &&str| name.chars().skip(2).all(|letter| letter.is_ascii_hexdigit());
    starts.filter(hex).map(ResultRef::from_text).collect()
}

/// Compacts a session of many steps, and gives the references that the agent has then.
async fn compacted(host: &Host) -> (Transcript, Vec<ResultRef>) {
    let mut transcript = Transcript::new(host, "Fix the parser.");
    let calls = (0..24).map(|_| transcript.step(1)).last().unwrap();
    let answer = compact(host, &calls).await;
    let shown = references(answer["summary"].as_str().unwrap());
    assert!(!shown.is_empty(), "{answer}");
    transcript.compacted("Fix the parser.", &answer);
    (transcript, shown)
}

async fn assert_readable(host: &Host, references: &[ResultRef]) {
    for id in references {
        assert!(host.storage.results().get(&session(""), id).await.unwrap().is_some(), "{id:?} is lost");
    }
}

#[tokio::test]
async fn an_answer_that_is_completed_stays_in_its_session_and_loses_no_result() {
    let host = Host::new().await;
    let (mut transcript, shown) = compacted(&host).await;
    transcript.begin_step();
    let first = transcript.call(0);
    stop(&host).await;
    let second = transcript.call(1);
    transcript.result(&first, &json!("the first"));
    transcript.result(&second, &json!("the second"));
    transcript.end("Both are there.");
    stop(&host).await;
    assert_eq!(host.sessions().await, [session("").to_string()]);
    let text = stored(&host, &session("")).await;
    for said in ["the first", "the second", "Both are there."] {
        assert_eq!(text.matches(said).count(), 1, "{said}");
    }
    assert!(!text.contains("[no result"), "the result of the open call was replaced");
    assert_readable(&host, &shown).await;
}

#[tokio::test]
async fn another_answer_to_the_same_request_is_another_session() {
    let host = Host::new().await;
    let (mut transcript, shown) = compacted(&host).await;
    transcript.user("Explain the lexer.");
    transcript.end("A first explanation.");
    stop(&host).await;
    transcript.rewind(2);
    transcript.user("Explain the lexer.");
    transcript.end("A second explanation.");
    stop(&host).await;
    assert_eq!(host.sessions().await.len(), 2);
    assert!(stored(&host, &session("")).await.contains("A first explanation."));
    assert!(stored(&host, &session("-2")).await.contains("A second explanation."));
    assert_readable(&host, &shown).await;
}

#[tokio::test]
async fn a_removed_turn_stays_removed_whatever_is_stored_later() {
    let host = Host::new().await;
    let mut transcript = three_turns(&host).await;
    let handle = SessionHandle::new(host.storage.clone(), session(""));
    handle.delete_turn(&mut SessionWriter::Handle, ExchangeId(2)).await.unwrap();
    transcript.user("Next.");
    transcript.end("Next is done.");
    stop(&host).await;
    assert_eq!(host.sessions().await, [session("").to_string()], "it is the same session");
    let text = stored(&host, &session("")).await;
    assert!(text.contains("Next is done.") && !text.contains("hunter2"), "{text}");
    // A branch begins with the same turns.
    transcript.rewind(2);
    transcript.user("Rather this.");
    transcript.end("Rather this is done.");
    stop(&host).await;
    let text = stored(&host, &session("-2")).await;
    assert!(text.contains("Rather this is done.") && !text.contains("hunter2"), "{text}");
    let given = context(&host).await;
    assert!(given.contains("Rather this.") && !given.contains("hunter2"), "{given}");
}

#[tokio::test]
async fn a_removed_turn_is_in_no_result_of_a_compaction() {
    let host = Host::new().await;
    let mut transcript = Transcript::new(&host, SECRET);
    transcript.end("hunter2 it is.");
    transcript.user("Fix the parser.");
    let calls = (0..24).map(|_| transcript.step(1)).last().unwrap();
    compact(&host, &calls).await;
    assert!(stored(&host, &session("")).await.contains("hunter2"));
    let handle = SessionHandle::new(host.storage.clone(), session(""));
    let deleted = handle.delete_turn(&mut SessionWriter::Handle, ExchangeId(1)).await.unwrap();
    assert!(deleted.results > 0, "{deleted:?}");
    assert!(!stored(&host, &session("")).await.contains("hunter2"));
    let again = compact(&host, &calls).await.to_string();
    assert!(again.contains("parser_2.rs") && !again.contains("hunter2"), "{again}");
    assert!(!stored(&host, &session("")).await.contains("hunter2"));
}

#[tokio::test]
async fn a_hidden_turn_stays_hidden_when_an_answer_is_completed() {
    let host = Host::new().await;
    let mut transcript = three_turns(&host).await;
    let handle = SessionHandle::new(host.storage.clone(), session(""));
    handle.change(&mut SessionWriter::Handle, Change::Drop(ExchangeId(2))).await.unwrap();
    transcript.user("Next.");
    transcript.begin_step();
    let call = transcript.call(0);
    stop(&host).await;
    transcript.result(&call, &json!("ok"));
    transcript.end("Next is done.");
    stop(&host).await;
    assert_eq!(host.sessions().await, [session("").to_string()]);
    let given = context(&host).await;
    assert!(given.contains("Next.") && !given.contains("hunter2"), "{given}");
}

#[tokio::test]
async fn the_view_of_a_branch_names_the_branch() {
    let host = Host::new().await;
    let mut transcript = Transcript::new(&host, "Fix the parser.");
    transcript.step(1);
    transcript.end("A first way.");
    stop(&host).await;
    transcript.rewind(1);
    let calls = (0..24).map(|_| transcript.step(1)).last().unwrap();
    let answer = compact(&host, &calls).await;
    let summary = answer["summary"].as_str().unwrap();
    assert!(summary.contains(session("-2").as_str()), "{summary}");
    for id in references(summary) {
        assert!(host.storage.results().get(&session("-2"), &id).await.unwrap().is_some(), "{id:?}");
    }
}

#[tokio::test]
async fn a_hook_waits_for_another_one_that_has_the_session() {
    let host = Host::new().await;
    three_turns(&host).await;
    let lock = host.storage.lock(&session("")).await.unwrap();
    let waiting = context(&host);
    let other = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(lock);
    };
    let (given, ()) = tokio::join!(waiting, other);
    assert!(given.contains("Now the lexer."), "{given}");
}

#[tokio::test]
async fn a_compaction_that_has_no_answer_in_time_is_noted() {
    let host = Host::new().await;
    let mut transcript = three_turns(&host).await;
    (0..24).for_each(|_| drop(transcript.step(1)));
    let lock = host.storage.lock(&session("")).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_millis(100), compact(&host, &[])).await;
    assert!(ended.is_err(), "the module has ended the process");
    drop(lock);
    let notes = CompactorNotes::read(host.storage.folder.root(), &session("")).unwrap();
    let problems: Vec<_> = notes.compactions.iter().map(|noted| noted.problem.as_deref()).collect();
    assert_eq!(problems, [Some("no answer in time")]);
    compact(&host, &[]).await;
    let notes = CompactorNotes::read(host.storage.folder.root(), &session("")).unwrap();
    assert_eq!((notes.compactions.len(), notes.compactions[1].problem.as_deref()), (2, None));
}

#[tokio::test]
async fn a_compaction_finds_a_result_before_a_large_picture() {
    let host = Host::new().await;
    let mut transcript = Transcript::new(&host, "Look at the picture.");
    (0..12).for_each(|_| drop(transcript.step(1)));
    transcript.begin_step();
    let call = transcript.call(0);
    let source = json!({"type": "base64", "media_type": "image/png", "data": "A".repeat(2 << 20)});
    transcript.result(&call, &json!([{"type": "image", "source": source}]));
    assert!(compact(&host, &[call]).await["summary"].as_str().unwrap().contains("Look at the picture."));
}

#[tokio::test]
async fn a_transcript_that_is_no_file_is_refused() {
    let host = Host::new().await;
    let made = std::process::Command::new("mkfifo").arg(host.transcript()).status().unwrap();
    assert!(made.success());
    for event in ["Stop", "SessionCompact"] {
        let payload = json!({"session_id": ID, "transcript_path": host.transcript(), "hook_event_name": event,
            "last_assistant_message": "Done.", "compaction": {"trigger": "auto", "answered": ["t1"]}});
        let parsed = HookPayload::parse(payload.to_string().as_bytes()).unwrap();
        let refused = answer(ForeignAgent::Claude, &parsed, &host.storage, &host.settings("")).await;
        assert!(refused.unwrap_err().to_string().contains("is not a file"), "{event}");
    }
}

#[tokio::test]
async fn a_rewound_compaction_does_not_count() {
    let host = Host::new().await;
    let mut transcript = three_turns(&host).await;
    transcript.compacted_by_agent("They repair a parser.");
    transcript.user("Third.");
    transcript.end("Three.");
    let found = || throughline_watch::compactions(ForeignAgent::Claude, &host.transcript()).unwrap().len();
    assert_eq!(found(), 1);
    transcript.rewind(4);
    transcript.user("Other third.");
    transcript.end("Other three.");
    assert_eq!(found(), 0);
    let recorded = throughline_watch::read_session(&host.transcript()).unwrap();
    assert_eq!(recorded.recorded_compactions, 0);
    assert!(recorded.steps().all(|step| !step.request.compacted));
}
