//! A session that begins as a copy of another.

use throughline_continuity::contract::session;
use throughline_continuity::{DirectoryError, MessageLog, Part, SessionDirectory, SessionInfo, read_all};
use throughline_conversation::{
    ExchangeId, Message, MessageRecord, Millis, ModelUse, Origin, Record, RecordBody, ResultRef, Seq, Source,
    Usage,
};
use throughline_resultstore::{ResultRepository, StoredResult};

use super::{Fixture, info};

fn said(seq: u64, text: &str) -> Record {
    let message = MessageRecord { message: Message::user(text), source: Source::User, usage: None };
    Record { seq: Seq(seq), at: Millis(0), exchange: ExchangeId(1), body: RecordBody::Message(message) }
}

#[tokio::test]
async fn a_fork_has_the_log_and_the_results_and_goes_its_own_way() {
    let fixture = Fixture::new().await.with_session("old").await.with_session("other").await;
    let (store, log) = (&fixture.store, fixture.store.message_log());
    log.append(&session("old"), &[said(1, "one"), said(2, "two")]).await.unwrap();
    log.append(&session("other"), &[said(1, "not mine")]).await.unwrap();
    let id = ResultRef::from_text("r-1");
    let content = b"all of it".to_vec();
    let result = StoredResult {
        session: session("old"),
        id: id.clone(),
        tool: "shell".to_owned(),
        content: content.clone(),
        at: Millis(3),
    };
    store.results().put(&result).await.unwrap();

    store.fork(&session("old"), &info("new")).await.unwrap();
    let read = |name: &'static str| {
        let log = log.clone();
        async move { read_all(&log, &session(name), Seq(0), Part::All).await.unwrap().records }
    };
    assert_eq!(read("new").await, read("old").await);
    let copied = store.results().get(&session("new"), &id).await.unwrap().unwrap();
    assert_eq!((copied.content, copied.tool.as_str()), (content, "shell"));

    log.append(&session("new"), &[said(3, "mine alone")]).await.unwrap();
    assert_eq!((read("old").await.len(), read("new").await.len()), (2, 3));
    // The old one may go; the copy has everything.
    assert!(store.sessions().remove(&session("old")).await.unwrap());
    assert_eq!(read("new").await.len(), 3);
    assert!(store.results().get(&session("new"), &id).await.unwrap().is_some());
    assert_eq!(store.check().await.unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_taken_id_is_refused_and_nothing_is_copied() {
    let fixture = Fixture::new().await.with_session("old").await.with_session("taken").await;
    let (store, log) = (&fixture.store, fixture.store.message_log());
    log.append(&session("old"), &[said(1, "one")]).await.unwrap();
    let refused = store.fork(&session("old"), &info("taken")).await.unwrap_err();
    assert!(matches!(refused, DirectoryError::Exists(_)), "{refused}");
    assert!(read_all(&log, &session("taken"), Seq(0), Part::All).await.unwrap().records.is_empty());
}

#[tokio::test]
async fn what_a_fork_copies_is_paid_once() {
    let fixture = Fixture::new().await.with_session("old").await;
    let store = &fixture.store;
    let spent = |seq: u64, at: i64, input: u64| {
        let usage = Usage { input, ..Usage::default() };
        let used = ModelUse { usage, requests: 1, ..ModelUse::of(Origin::new("anthropic", "m")) };
        Record { seq: Seq(seq), at: Millis(at), exchange: ExchangeId(1), body: RecordBody::Spent(used) }
    };
    let log = store.message_log();
    log.append(&session("old"), &[spent(1, 10, 100)]).await.unwrap();
    let fork = SessionInfo { created: Millis(20), ..info("new") };
    store.fork(&session("old"), &fork).await.unwrap();
    log.append(&session("new"), &[spent(2, 30, 7)]).await.unwrap();
    let used = |id: Option<&'static str>| async move {
        let id = id.map(session);
        let records = store.usage_records(id.as_ref(), Seq(0), Millis(0)).await.unwrap();
        records.iter().flatten().map(|record| record.at.0).collect::<Vec<_>>()
    };
    // All sessions together, and the copy alone, which has cost what it was copied from, too.
    assert_eq!(used(None).await, [30, 10], "all sessions together");
    assert_eq!(used(Some("new")).await, [10, 30]);
}
