//! Sessions in memory whose storage lets others run before it answers.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;

use async_trait::async_trait;
use throughline_completion::{CacheRules, Prices};
use throughline_contexts::{ContextStorage, InMemoryStorage, SessionGuard, SessionStorage, StorageError};
use throughline_continuity::{LogError, LogPage, MessageLog, Part};
use throughline_conversation::{Millis, Record, Seq, SessionId};
use throughline_engine::ModelInfo;

#[derive(Debug, Default)]
pub(super) struct SlowStorage {
    sessions: InMemoryStorage,
    opened: AtomicU64,
}

impl SlowStorage {
    /// How often a session was opened.
    pub(super) fn opened(&self) -> u64 {
        self.opened.load(Ordering::SeqCst)
    }

    /// The place of the newest record of a session.
    pub(super) async fn last(&self, session: &str) -> Seq {
        let session = SessionId::new(session).unwrap();
        let model = ModelInfo {
            name: String::new(),
            provider: String::new(),
            window: 0,
            max_output: 0,
            cache: CacheRules::automatic(),
            prices: Prices::openai(),
            web_search: false,
            thinking: None,
        };
        let stored = self.sessions.open(&session, &model).await.unwrap();
        stored.log.last(&session).await.unwrap()
    }
}

/// Returns when it is polled for the second time.
async fn wait() {
    let mut is_polled = false;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut is_polled, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

#[async_trait]
impl ContextStorage for SlowStorage {
    async fn open(&self, session: &SessionId, model: &ModelInfo) -> Result<SessionStorage, StorageError> {
        wait().await;
        self.opened.fetch_add(1, Ordering::SeqCst);
        let stored = self.sessions.open(session, model).await?;
        let log = Arc::new(SlowLog(stored.log));
        Ok(SessionStorage { log, guard: Some(Box::new(SlowGuard)), ..stored })
    }

    async fn reopen(
        &self,
        session: &SessionId,
        model: &ModelInfo,
        _created: Millis,
    ) -> Result<SessionStorage, StorageError> {
        self.open(session, model).await
    }
}

struct SlowGuard;

#[async_trait]
impl SessionGuard for SlowGuard {
    async fn release(self: Box<Self>) {
        wait().await;
    }
}

#[derive(Debug)]
struct SlowLog(Arc<dyn MessageLog>);

#[async_trait]
impl MessageLog for SlowLog {
    async fn append(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        wait().await;
        self.0.append(session, records).await
    }

    async fn read_page(&self, session: &SessionId, after: Seq, part: Part) -> Result<LogPage, LogError> {
        wait().await;
        self.0.read_page(session, after, part).await
    }

    async fn last(&self, session: &SessionId) -> Result<Seq, LogError> {
        wait().await;
        self.0.last(session).await
    }

    async fn newest(&self, session: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        wait().await;
        self.0.newest(session, kind).await
    }

    async fn redact(&self, session: &SessionId, records: &[Record]) -> Result<(), LogError> {
        wait().await;
        self.0.redact(session, records).await
    }
}
