//! The session in a database file.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_contexts::{ContextStorage, SessionStorage, StorageError};
use throughline_continuity::{
    DirectoryError, LogError, MessageLog as _, Part, SessionDirectory as _, SessionInfo, read_all,
};
use throughline_conversation::{Millis, Record, Seq, SessionId};
use throughline_engine::ModelInfo;
use throughline_store::{Durability, Store};

/// The name of the session.
pub(crate) const SESSION: &str = "work";

/// Keeps sessions in a database.
#[derive(Debug)]
pub(crate) struct Stored(pub(crate) Store);

#[async_trait]
impl ContextStorage for Stored {
    async fn open(&self, session: &SessionId, model: &ModelInfo) -> Result<SessionStorage, StorageError> {
        let info = SessionInfo {
            id: session.clone(),
            title: String::new(),
            workspace: String::new(),
            model: model.name.clone(),
            created: Millis(0),
        };
        match self.0.sessions().create(&info).await {
            Ok(()) | Err(DirectoryError::Exists(_)) => {}
            Err(error) => return Err(StorageError::Other(error.into())),
        }
        Ok(SessionStorage {
            created: Millis(0),
            log: Arc::new(self.0.message_log()),
            snapshots: Arc::new(self.0.snapshots()),
            results: Arc::new(self.0.results()),
            history: None,
            guard: None,
        })
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

pub(crate) async fn store(folder: &Path) -> Store {
    Store::open_serial(&folder.join("sessions.db"), Durability::Normal).await.unwrap()
}

/// The log, as the next process reads it.
pub(crate) fn records(folder: &Path) -> Vec<Record> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = store(folder).await;
        let (log, id) = (store.message_log(), SessionId::new(SESSION).unwrap());
        let records = match log.last(&id).await {
            Err(LogError::NoSession(_)) => Vec::new(),
            _ => {
                let page = read_all(&log, &id, Seq(0), Part::All).await.unwrap();
                assert!(page.unreadable.is_empty(), "{:?}", page.unreadable);
                page.records
            }
        };
        store.close().await.unwrap();
        records
    })
}
