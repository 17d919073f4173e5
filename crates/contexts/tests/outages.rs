//! Contexts whose storage does not answer, whose session another process has taken over, or is deleted.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may fail")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_contexts::{
    CallError, ContextStorage, Contexts, ErrorCode, InMemoryStorage, NoModels, SessionGuard, SessionStorage,
    StorageError,
};
use throughline_continuity::{LogError, LogPage, MessageLog, Part};
use throughline_conversation::{Millis, Record, Seq, SessionId};
use throughline_engine::{ChangeError, ModelInfo};

/// What happens to the storage.
#[derive(Debug, Default)]
struct Outage {
    away: AtomicBool,
    taken: AtomicBool,
    deleted: AtomicBool,
    released: AtomicBool,
}

fn is(flag: &AtomicBool) -> bool {
    flag.load(Ordering::SeqCst)
}

fn set(flag: &AtomicBool, value: bool) {
    flag.store(value, Ordering::SeqCst);
}

/// A log that cannot be written meanwhile.
#[derive(Debug)]
struct OutageLog(Arc<dyn MessageLog>, Arc<Outage>);

#[async_trait]
impl MessageLog for OutageLog {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        if is(&self.1.away) || is(&self.1.taken) {
            return Err(LogError::Full("it does not answer".to_owned()));
        }
        self.0.append(session, records).await
    }

    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError> {
        self.0.read_page(session, after, part).await
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        self.0.last(session).await
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        self.0.newest(session, kind).await
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        self.0.redact(session, records).await
    }
}

struct OutageGuard(Arc<Outage>);

#[async_trait]
impl SessionGuard for OutageGuard {
    async fn lost(&self) -> Option<String> {
        is(&self.0.taken).then(|| "session mine was taken over by another process".to_owned())
    }

    async fn release(self: Box<Self>) {
        set(&self.0.released, true);
    }
}

#[derive(Debug, Default)]
struct OutageStorage(InMemoryStorage, Arc<Outage>);

#[async_trait]
impl ContextStorage for OutageStorage {
    async fn open(&self, session: &SessionId, model: &ModelInfo) -> Result<SessionStorage, StorageError> {
        let stored = self.0.open(session, model).await?;
        let log = Arc::new(OutageLog(stored.log, Arc::clone(&self.1)));
        set(&self.1.released, false);
        Ok(SessionStorage { log, guard: Some(Box::new(OutageGuard(Arc::clone(&self.1)))), ..stored })
    }

    async fn reopen(
        &self,
        session: &SessionId,
        model: &ModelInfo,
        _created: Millis,
    ) -> Result<SessionStorage, StorageError> {
        if is(&self.1.deleted) { Err(StorageError::Gone) } else { self.open(session, model).await }
    }
}

/// A context `mine`, and its storage.
async fn opened() -> (Contexts, Arc<OutageStorage>) {
    let storage = Arc::new(OutageStorage::default());
    let contexts = Contexts::new(Arc::clone(&storage) as _, Arc::new(NoModels), None);
    call(&contexts, "open", json!({ "model": "test", "window": 24_000 })).await.unwrap();
    (contexts, storage)
}

async fn call(contexts: &Contexts, operation: &str, mut input: Value) -> Result<Value, CallError> {
    input["context"] = json!("mine");
    contexts.call(operation, input).await
}

async fn say(contexts: &Contexts, text: &str) -> Result<Value, CallError> {
    call(contexts, "user", json!({ "text": text })).await
}

#[tokio::test]
async fn a_context_whose_records_cannot_be_written_is_not_closed_and_loses_nothing() {
    let (contexts, storage) = opened().await;
    set(&storage.1.away, true);
    say(&contexts, "Do not lose this.").await.unwrap();
    let refused = call(&contexts, "close", json!({})).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Unsaved, "{refused}");
    let data = refused.data.unwrap();
    assert!(data["records"].as_u64() > Some(0), "{data:?}");
    for _ in 0..3 {
        contexts.close_idle().await;
    }
    assert!(contexts.is_open("mine") && !is(&storage.1.released), "an idle context stays open, too");
    let unsaved = contexts.close_all().await;
    assert_eq!(unsaved.iter().map(|error| error.code).collect::<Vec<_>>(), [ErrorCode::Unsaved]);

    set(&storage.1.away, false);
    call(&contexts, "close", json!({})).await.unwrap();
    assert!(!contexts.is_open("mine") && is(&storage.1.released));
    let again = call(&contexts, "open", json!({ "model": "test", "window": 24_000 })).await.unwrap();
    assert_eq!(again["messages"], 1, "it is in the log: {again}");
    assert!(contexts.close_all().await.is_empty());
}

#[tokio::test]
async fn a_context_that_was_taken_over_says_so_and_is_closed() {
    let (contexts, storage) = opened().await;
    say(&contexts, "First.").await.unwrap();
    set(&storage.1.taken, true);
    let refused = say(&contexts, "Second.").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Held, "{refused}");
    assert!(refused.message.contains("was taken over by another process"), "{refused}");
    assert!(!contexts.is_open("mine") && is(&storage.1.released));
    assert_eq!(say(&contexts, "Third.").await.unwrap_err().code, ErrorCode::UnknownContext);
    set(&storage.1.taken, false);
    let again = call(&contexts, "open", json!({ "model": "test", "window": 24_000 })).await.unwrap();
    assert_eq!(again["messages"], 1, "what was written before: {again}");
}

#[tokio::test]
async fn an_idle_context_of_a_deleted_session_does_not_begin_it_again() {
    let (contexts, storage) = opened().await;
    say(&contexts, "First.").await.unwrap();
    for _ in 0..2 {
        contexts.close_idle().await;
    }
    assert!(is(&storage.1.released));
    set(&storage.1.deleted, true);
    for _ in 0..2 {
        let refused = say(&contexts, "After the deletion.").await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::UnknownContext, "{refused}");
    }
    set(&storage.1.deleted, false);
    let refused = say(&contexts, "Later.").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownContext, "it is forgotten");
}

#[tokio::test]
async fn an_idle_context_is_forgotten_with_its_session_and_an_open_one_stays() {
    let (contexts, _storage) = opened().await;
    let id = SessionId::new("mine").unwrap();
    contexts.forget(&id);
    say(&contexts, "It is open.").await.unwrap();
    for _ in 0..2 {
        contexts.close_idle().await;
    }
    contexts.forget(&id);
    assert_eq!(say(&contexts, "It is gone.").await.unwrap_err().code, ErrorCode::UnknownContext);
}

#[tokio::test]
async fn a_session_that_is_stored_is_not_forgotten() {
    let (contexts, _storage) = opened().await;
    say(&contexts, "First.").await.unwrap();
    let refused = call(&contexts, "close", json!({ "forget": true })).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotPossible, "{refused}");
    assert!(contexts.is_open("mine"), "nothing has changed");
}

#[test]
fn what_is_damaged_is_said_whole() {
    let why = "unknown variant `x`".to_owned();
    let error = CallError::from(ChangeError::from(LogError::Damaged { seq: Seq(3), why }));
    assert_eq!(error.code, ErrorCode::Storage);
    assert!(error.message.contains("record 3 of the log is damaged: unknown variant `x`"), "{error}");
}
