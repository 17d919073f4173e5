//! What a program learns of a session: report, messages, revisions, checkpoints, handoff, memos.

use serde_json::json;
use throughline::Error;
use throughline::ports::scripted::Reply;
use throughline_conversation::{DocumentName, ExchangeId};
use throughline_memory::Scope;
use throughline_stored::Storage;
use throughline_stored::{Memos, RevisionStatus, SessionWriter, StateRebuild};

use crate::harness::{builder, texts};

async fn storage(folder: &std::path::Path) -> Storage {
    Storage::open(Some(folder.join("data"))).await.unwrap()
}

#[tokio::test]
async fn the_report_has_window_cost_and_assumptions() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["Noted."]));
    let mut session = first.open().await.unwrap();
    session.send("The bird is a heron.").await.unwrap();
    let open = session.report().await.unwrap();
    assert_eq!((open.totals.cost.requests, open.context.messages, open.assumed.as_ref()), (1, 2, None));
    let names: Vec<&str> = open.shares.iter().map(|share| share.name).collect();
    assert_eq!(names, ["tools", "system prompt", "skills", "conversation"]);
    let shown = open.to_string();
    assert!(shown.contains("tokens used\n  tools: ") && shown.contains("\n1 request sent "), "{shown}");
    let handle = session.handle();
    session.close().await.unwrap();

    let closed = handle.report(&SessionWriter::Handle).await.unwrap();
    assert_eq!(closed.context.window.total, open.context.window.total);
    assert_eq!(closed.totals, open.totals);
    let assumed = closed.assumed.as_ref().unwrap();
    assert_eq!(assumed.policy, "throughline");
    assert!(assumed.line().contains("policy throughline"));
    let object = closed.json().unwrap();
    assert_eq!(object["cost"]["requests"], 1);
    assert_eq!(object["assumed"]["policy"], "throughline");
}

#[tokio::test]
async fn a_session_without_a_request_has_no_report() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts([]));
    let session = first.open().await.unwrap();
    let error = session.handle().report(&SessionWriter::Handle).await.unwrap_err();
    assert!(error.to_string().ends_with("has sent no request yet"), "{error}");
}

#[tokio::test]
async fn messages_revisions_checkpoints_and_handoff_are_read_from_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |text: &str| json!({"action": "update", "content": format!("## Current Plan\n1. [ ] {text}")});
    let (first, _) = builder(
        folder.path(),
        [
            Reply::call("c1", "manage_scratchpad", plan("Look")),
            Reply::call("c2", "manage_scratchpad", plan("Watch the heron")),
            Reply::text("Planned."),
        ],
    );
    let mut session = first.open().await.unwrap();
    session.send("Plan it.").await.unwrap();
    let handle = session.handle();
    session.close().await.unwrap();

    let log = handle.log().await.unwrap();
    let statuses: Vec<RevisionStatus> =
        log.revisions(DocumentName::Scratchpad).iter().map(|revision| revision.status).collect();
    assert_eq!(statuses, [RevisionStatus::Older, RevisionStatus::Current]);

    let newest = handle.checkpoint(&log, None).unwrap();
    let whole = handle.checkpoint_json(&log, newest).unwrap();
    assert!(whole.scratchpad.contains("Watch the heron"), "{whole:?}");
    assert!(matches!(handle.checkpoint(&log, Some(99)), Err(Error::Usage(_))));
    let handoff = handle.handoff().await.unwrap();
    assert!(handoff.lines().join("\n").contains("Branch: "), "{handoff:?}");

    let turn = handle.messages(ExchangeId(1)).await.unwrap();
    assert_eq!(turn.group.calls, 2);
    assert_eq!(turn.parts.first().unwrap().row.content, "Plan it.");
    assert!(turn.parts.iter().skip(1).all(|part| part.tokens.is_some()));
    assert!(handle.messages(ExchangeId(2)).await.is_err());

    let request = log.next_request(&handle.session);
    assert_eq!(request.transcript.messages().count(), log.view.entries().len());
    assert!(request.tail.iter().any(|note| note.contains("Watch the heron")), "{:?}", request.tail);

    let rebuilt = handle.rebuild_state(&mut SessionWriter::Handle).await.unwrap();
    let StateRebuild::ByRule { text, .. } = rebuilt else { panic!("{rebuilt:?}") };
    let again = handle.rebuild_state(&mut SessionWriter::Handle).await.unwrap();
    assert_eq!(again, StateRebuild::UpToDate(text));
}

#[tokio::test]
async fn a_memo_is_found_by_the_start_of_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let here = Memos { storage: storage(folder.path()).await, scope: Scope::folder("/here") };
    let saved = here.add("Herons nest in the reeds.", &["gotcha".to_owned()]).await.unwrap();
    assert!(saved.new && !here.add("Herons nest in the reeds.", &[]).await.unwrap().new);
    let name = saved.memo.id.as_str();
    assert_eq!(here.find(name.get(..6).unwrap()).await.unwrap().id, saved.memo.id);
    assert_eq!(here.search("heron").await.unwrap().len(), 1);
    assert_eq!(here.list(&["gotcha".to_owned()]).await.unwrap().len(), 1);

    let there = Memos { scope: Scope::folder("/there"), ..here.clone() };
    let error = there.find(name).await.unwrap_err();
    assert!(matches!(&error, Error::MemoElsewhere { folder, .. } if folder == "/here"), "{error:?}");

    assert_eq!(here.update(&saved.memo, &saved.memo.content, &saved.memo.tags).await.unwrap(), None);
    let changed = here.update(&saved.memo, "Herons nest in trees.", &[]).await.unwrap().unwrap();
    assert!(here.remove(&changed.id).await.unwrap() && here.erase().await.unwrap());
    assert!(!here.remove(&changed.id).await.unwrap());
}

#[tokio::test]
async fn a_stored_session_is_found_by_the_start_of_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let (first, _) = builder(folder.path(), texts(["Noted."]));
    let mut session = first.open().await.unwrap();
    session.send("The bird is a heron.").await.unwrap();
    let id = session.id().clone();
    session.close().await.unwrap();
    let found = storage(folder.path()).await.find(id.as_str().get(..12).unwrap(), None).await.unwrap();
    assert_eq!(found, id);
}
