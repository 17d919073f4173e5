//! The contract of a permanent deletion, on the real store: no byte of the turn is left, nothing else is lost.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use throughline::ports::scripted::Reply;
use throughline::ports::{Record, Tool, ToolCall, ToolContext, ToolDefinition, ToolOutput, async_trait};
use throughline_agent::NullSink;
use throughline_continuity::InMemoryMessageLog;
use throughline_conversation::ToolOrigin;
use throughline_stored::{InputHistory, SessionWriter};
use throughline_stored::{SessionHandle, Storage};

use crate::harness::{builder, project, texts};

const SECRET: &str = "heron-4711";

/// A tool with a result that is too large for the window.
#[derive(Debug)]
struct Birds;

#[async_trait]
impl Tool for Birds {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "birds".to_owned(),
            description: "Lists birds.".to_owned(),
            input_schema: json!({"type": "object", "properties": {}}),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        ToolOutput::text(format!("{SECRET} in the reeds\n").repeat(10_000))
    }
}

/// The answers of a turn that leaves its secret in every place that there is.
fn turn_with_secret() -> Vec<Reply> {
    let memo = json!({"content": format!("the code is {SECRET}"), "tags": ["gotcha"]});
    let plan = json!({"action": "update", "content": format!("## Current Plan\n1. [ ] Watch {SECRET}")});
    let state =
        format!("### STATE\nGoal: watch {SECRET}\nContext: reeds\nResolved: -\nTechnical Anchors: none");
    vec![
        Reply::call("c1", "birds", json!({})),
        Reply::call("c2", "save_memo", memo),
        Reply::call("c3", "manage_scratchpad", plan),
        Reply::text(format!("It is {SECRET}.\n\n{state}")),
    ]
}

async fn storage(folder: &Path) -> Storage {
    Storage::open(Some(folder.join("data"))).await.unwrap()
}

fn kinds(records: &[Record], kind: &str) -> usize {
    records.iter().filter(|record| record.body.kind() == kind).count()
}

// S4-15
#[tokio::test]
async fn a_deleted_turn_leaves_no_byte_in_the_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut replies = turn_with_secret();
    replies.extend(texts(["Sunny.", "Warm.", "Windy."]));
    // The summary of the compaction quotes the turn.
    replies.extend([Reply::text(format!("## Summary\nThe user watches {SECRET}."))]);
    let (first, _) = builder(folder.path(), replies);
    let mut session = first.title(SECRET).tool(Arc::new(Birds)).open().await.unwrap();
    session.send(format!("The code is {SECRET}.")).await.unwrap();
    for question in ["How is the weather?", "How warm is it?", "Is there wind?"] {
        session.send(question).await.unwrap();
    }
    session.agent.compact(&NullSink).await.unwrap();
    let id = session.id().clone();
    session.close().await.unwrap();

    let data = folder.path().join("data");
    let handle = SessionHandle::new(storage(folder.path()).await, id);
    let log = handle.log().await.unwrap();
    for kind in ["document", "edit", "checkpoint", "receipt"] {
        assert!(kinds(&log.records, kind) > 0, "the session has a record of kind {kind}");
    }
    assert!(holds(&data, SECRET));
    let workspace = project(folder.path());
    let inputs = InputHistory::new(&data, &workspace);
    inputs.record(&format!("The code is {SECRET}.")).unwrap();
    inputs.record("How is the weather?").unwrap();

    let mut writer = SessionWriter::Handle;
    let lock = handle.lock(&writer).await.unwrap();
    let turn = log.groups()[0].id;
    let deleted = handle.delete_turn(&mut writer, turn).await.unwrap();
    assert_eq!((deleted.turn, deleted.memos), (turn, 1));
    assert!(deleted.records > 4 && deleted.results > 0, "{deleted:?}");
    assert_eq!(deleted.title.as_deref(), Some("How is the weather?"));
    assert!(!holds(&data, SECRET), "no file of the data folder has the secret");
    let left = handle.log().await.unwrap();
    assert_eq!(left.view.entries().len(), 6, "the other turns stay");
    assert_eq!(left.view, deleted.view);
    assert_eq!(inputs.earlier().unwrap(), ["How is the weather?"]);
    drop(lock);
}

#[tokio::test]
async fn a_turn_is_deleted_while_its_session_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let mut replies = turn_with_secret();
    replies.extend(texts(["Sunny.", "Warm."]));
    let (first, model) = builder(folder.path(), replies);
    let mut session = first.title(SECRET).tool(Arc::new(Birds)).open().await.unwrap();
    session.send(format!("The code is {SECRET}.")).await.unwrap();
    session.send("How is the weather?").await.unwrap();
    let deleted = session.delete_turn(1).await.unwrap();
    assert_eq!((deleted.memos, deleted.title.as_deref()), (1, Some("How is the weather?")));
    assert!(!holds(&folder.path().join("data"), SECRET));

    session.send("How warm is it?").await.unwrap();
    let request = format!("{:?}", model.requests().last().unwrap());
    assert!(!request.contains(SECRET), "{request}");
    session.close().await.unwrap();
    assert!(!holds(&folder.path().join("data"), SECRET), "closing saves no snapshot of it");
}

#[tokio::test]
async fn a_deletion_with_an_own_log_erases_memos_and_title_too() {
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(InMemoryMessageLog::default());
    let (first, _) = builder(folder.path(), turn_with_secret());
    let mut session = first.title(SECRET).tool(Arc::new(Birds)).log(log).open().await.unwrap();
    session.send(format!("The code is {SECRET}.")).await.unwrap();
    assert!(holds(&folder.path().join("data"), SECRET));
    let deleted = session.delete_turn(1).await.unwrap();
    assert_eq!((deleted.memos, deleted.title.as_deref()), (1, Some("")));
    assert!(!holds(&folder.path().join("data"), SECRET));
}

#[tokio::test]
async fn an_unknown_turn_is_refused_and_nothing_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["Noted."]));
    let mut session = first.title(SECRET).open().await.unwrap();
    session.send(format!("The code is {SECRET}.")).await.unwrap();
    let before = storage(folder.path()).await.records(session.id()).await.unwrap();
    let error = session.delete_turn(7).await.unwrap_err();
    assert_eq!(error.to_string(), "there is no turn 7; the session has turns 1 to 1");
    assert_eq!(storage(folder.path()).await.records(session.id()).await.unwrap(), before);
}

/// Returns true if a file below the folder has this text.
fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return holds(&path, text);
        }
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}
