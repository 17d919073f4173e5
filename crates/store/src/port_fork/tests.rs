//! Copies over ports.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_continuity::contract::{sample_log, session};
use throughline_continuity::{InMemoryMessageLog, InMemorySessionDirectory, InMemorySnapshotStore};
use throughline_conversation::{Millis, ResultRef};
use throughline_resultstore::{InMemoryResultRepository, ResultInfo};

use super::*;

/// Results of which no other is stored.
#[derive(Debug)]
struct FullRepository(InMemoryResultRepository);

#[async_trait]
impl ResultRepository for FullRepository {
    async fn put(&self, _: &StoredResult) -> Result<(), StoreError> {
        Err(StoreError::Other("the disk is full".into()))
    }

    async fn get(&self, session: &SessionId, id: &ResultRef) -> Result<Option<StoredResult>, StoreError> {
        self.0.get(session, id).await
    }

    async fn list(&self, session: &SessionId) -> Result<Vec<ResultInfo>, StoreError> {
        self.0.list(session).await
    }

    async fn remove(&self, session: &SessionId, id: &ResultRef) -> Result<bool, StoreError> {
        self.0.remove(session, id).await
    }
}

fn info(id: &str) -> SessionInfo {
    SessionInfo {
        id: session(id),
        title: String::new(),
        workspace: String::new(),
        model: String::new(),
        created: Millis(1),
    }
}

#[tokio::test]
async fn a_copy_that_fails_leaves_no_session() {
    let log = InMemoryMessageLog::new();
    let sessions =
        InMemorySessionDirectory::over(Arc::new(log.clone()), Arc::new(InMemorySnapshotStore::new()));
    let (from, to) = (session("from"), info("to"));
    sessions.create(&info("from")).await.unwrap();
    log.append(&from, &sample_log(7, 20)).await.unwrap();
    let stored = InMemoryResultRepository::new();
    let result = StoredResult {
        id: ResultRef::from_text("one"),
        session: from.clone(),
        tool: "bash".to_owned(),
        content: b"text".to_vec(),
        at: Millis(1),
    };
    stored.put(&result).await.unwrap();
    let full = FullRepository(stored.clone());
    let ports = ForkPorts { sessions: &sessions, log: &log, results: &full };
    let error = ports.fork(&from, &to).await.unwrap_err();
    assert!(format!("{error:?}").contains("the disk is full"), "{error:?}");
    assert_eq!(sessions.get(&to.id).await.unwrap(), None, "an empty session is left");
    let ports = ForkPorts { results: &stored, ..ports };
    ports.fork(&from, &to).await.unwrap();
    assert_eq!(stored.list(&to.id).await.unwrap().len(), 1);
}
