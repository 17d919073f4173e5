//! Compactions of Claude Code that our module asks about.

use std::fs::{self, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};

use serde_json::{Value, json};
use throughline_conversation::{ExchangeId, Message, RecordBody, SessionId};
use throughline_stored::{COMPACTED_VIEW, SessionHandle, SessionWriter};
use throughline_watch::{CompactorNotes, ForeignAgent, HookAnswer, HookPayload, answer};

use crate::host::{Host, ID};
use crate::transcript::Transcript;

const FIRST: &str = "Fix the parser. Rule: never delete a.txt.";

/// A session of Claude Code with many steps; the last one calls twice.
fn many_steps(host: &Host) -> Transcript {
    let mut transcript = Transcript::new(host, FIRST);
    (1..24).for_each(|_| drop(transcript.step(1)));
    transcript.step(2);
    transcript
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

async fn compact(host: &Host, answered: &[String]) -> Value {
    host.event("SessionCompact", &asked(&json!({ "answered": answered })), "").await.output.unwrap()
}

/// All messages of a session.
async fn stored(host: &Host) -> Vec<Message> {
    let records = host.storage.records(&session()).await.unwrap();
    let messages = records.into_iter().filter_map(|record| match record.body {
        RecordBody::Message(said) => Some(said.message),
        _ => None,
    });
    messages.collect()
}

/// Steps and compactions one after the other.
async fn compacted_often(host: &Host, times: usize) -> Transcript {
    let mut transcript = many_steps(host);
    let mut calls = vec!["t24_0".to_owned(), "t24_1".to_owned()];
    for number in 0..times {
        let answer = compact(host, &calls).await;
        transcript.compacted(FIRST, &answer);
        if number % 3 == 2 {
            transcript.end("The parser is half done.");
            transcript.user(&format!("Now part {number}. Rule: part {number} stays."));
        }
        calls = (0..8).map(|step| transcript.step(1 + step % 2)).last().unwrap();
    }
    transcript
}

#[tokio::test]
async fn a_compaction_of_claude_code_is_answered_with_our_view_and_no_context_follows() {
    let host = Host::new().await;
    many_steps(&host);
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
    many_steps(&host);
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
    many_steps(&host);
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
async fn what_was_compacted_is_not_read_again() {
    let host = Host::new().await;
    let mut transcript = many_steps(&host);
    let first = compact(&host, &["t24_1".to_owned()]).await;
    transcript.compacted(FIRST, &first);
    let calls = (0..8).map(|_| transcript.step(1)).last().unwrap();
    // A reader of the whole file would find no conversation.
    let mut file = OpenOptions::new().write(true).open(host.transcript()).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.write_all(&[b'-'; 50_000]).unwrap();
    let second = compact(&host, &calls).await;
    let summary = second["summary"].as_str().unwrap();
    assert!(summary.starts_with("[Previous Session Context]\nCurrent task: Fix the parser."), "{summary}");
    for name in ["parser_1.rs", "parser_26.rs"] {
        assert!(summary.contains(name), "{name}: {summary}");
    }
    assert!(second["rows"].to_string().contains("parser_32.rs"), "{second}");
    assert_eq!(summary.matches("[Summary of earlier messages").count(), 1, "{summary}");
}

#[tokio::test]
async fn many_compactions_store_what_one_reading_of_the_transcript_stores() {
    let host = Host::new().await;
    compacted_often(&host, 9).await;
    let notes = CompactorNotes::read(host.storage.folder.root(), &session()).unwrap();
    assert!(notes.compactions.iter().all(|noted| noted.problem.is_none()), "{notes:?}");
    let other = Host::new().await;
    fs::copy(host.transcript(), other.transcript()).unwrap();
    for host in [&host, &other] {
        host.event("Stop", &json!({}), "").await;
    }
    assert_eq!(host.sessions().await, [session().to_string()], "no other branch was begun");
    let (parts, whole) = (stored(&host).await, stored(&other).await);
    assert_eq!(parts, whole);
    let said: Vec<String> = parts.iter().map(Message::text).collect();
    for text in [FIRST, "Now part 2. Rule: part 2 stays.", "Now part 8. Rule: part 8 stays."] {
        assert_eq!(said.iter().filter(|said| *said == text).count(), 1, "{text}");
    }
}

#[tokio::test]
async fn the_users_words_are_in_every_view() {
    let host = Host::new().await;
    let mut transcript = compacted_often(&host, 7).await;
    let calls = transcript.step(2);
    let answered = compact(&host, &calls).await;
    let view = answered.to_string();
    for words in ["Rule: part 2 stays.", "Rule: part 5 stays.", "parser_1.rs"] {
        assert!(view.contains(words), "{words}: {view}");
    }
    let rows = answered["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| !row["text"].as_str().unwrap().contains("[Summary of")), "{rows:?}");
}

#[tokio::test]
async fn a_transcript_that_was_rewound_or_replaced_is_read_from_its_start() {
    let host = Host::new().await;
    let mut transcript = many_steps(&host);
    let first = compact(&host, &["t24_1".to_owned()]).await;
    transcript.compacted(FIRST, &first);
    transcript.step(1);
    transcript.end("Done with the wrong part.");
    transcript.rewind(1);
    transcript.user("Rather do the other part.");
    let calls = transcript.step(1);
    let rewound = compact(&host, &calls).await.to_string();
    assert!(rewound.contains("Rather do the other part.") && rewound.contains("parser_1.rs"), "{rewound}");
    assert!(!rewound.contains("wrong part"), "{rewound}");
    // Another program has written the file again, with other bytes before the place.
    let text = fs::read_to_string(host.transcript()).unwrap().replace("name_3", "label_3");
    fs::remove_file(host.transcript()).unwrap();
    fs::write(host.transcript(), text).unwrap();
    let calls = transcript.step(1);
    let replaced = compact(&host, &calls).await;
    assert!(replaced["summary"].as_str().unwrap().contains("label_3"), "{replaced}");
}

#[tokio::test]
async fn after_a_compaction_by_the_agent_the_whole_transcript_is_read() {
    let host = Host::new().await;
    let mut transcript = many_steps(&host);
    let first = compact(&host, &["t24_1".to_owned()]).await;
    transcript.compacted(FIRST, &first);
    transcript.step(1);
    transcript.compacted_by_agent("They repair a parser.");
    let calls = transcript.step(1);
    let second = compact(&host, &calls).await.to_string();
    assert!(second.contains("parser_1.rs") && !second.contains("They repair a parser."), "{second}");
}

#[tokio::test]
async fn a_turn_that_is_deleted_permanently_is_in_no_view_any_more() {
    let host = Host::new().await;
    many_steps(&host);
    compact(&host, &["t24_1".to_owned()]).await;
    let views = async || {
        let results = host.storage.results().list(&session()).await.unwrap();
        results.iter().filter(|result| result.tool == COMPACTED_VIEW).count()
    };
    assert_eq!(views().await, 1);
    let handle = SessionHandle::new(host.storage.clone(), session());
    handle.delete_turn(&mut SessionWriter::Handle, ExchangeId(1)).await.unwrap();
    assert_eq!(views().await, 0);
}
