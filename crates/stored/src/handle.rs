//! A session that is read or changed, whether an agent has it open or not.

use std::path::PathBuf;
use std::sync::Arc;

use throughline_agent::{
    Agent, ChangeError, Changed, EventSink, ItemPlace, SessionPorts, change_item_in_session, change_session,
    pin_in_session,
};
use throughline_continuity::{MessageLog, SessionDirectory as _, SnapshotStore, Unreadable, merged};
use throughline_conversation::{
    DocumentName, DocumentRecord, ExchangeId, Mark, Record, RecordBody, Seq, SessionId, Source, TokenCounter,
    View, WindowFigures, project_readable,
};
use throughline_groups::{Change, Group, PinTarget, groups, mark};
use throughline_policies::Estimator;
use throughline_resultstore::ResultRepository;
use throughline_store::SessionLock;

use crate::error::{Error, Result};
use crate::report::closed;
use crate::session_id::now;
use crate::storage::Storage;

/// A stored session.
#[derive(Debug, Clone)]
pub struct SessionHandle {
    /// Where it is stored.
    pub storage: Storage,
    /// Its id.
    pub session: SessionId,
    /// Counts its tokens.
    pub counter: Arc<dyn TokenCounter>,
}

/// Who writes to a session.
pub enum SessionWriter<'a> {
    /// The caller, who takes the session's lock.
    Handle,
    /// The agent that has the session open, and with it the lock.
    Agent(&'a mut Agent, &'a dyn EventSink),
}

/// A session's whole log, and its view.
#[derive(Debug, Clone)]
pub struct SessionLog {
    /// The records, oldest first.
    pub records: Vec<Record>,
    /// What the model sees.
    pub view: View,
    /// Place of the newest record, even if it is lost; 0: none.
    pub last: Seq,
}

impl SessionLog {
    /// The session's groups, oldest first.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        groups(&self.records, &self.view)
    }

    /// The turn that an undo hides, or deletes where `undo.mode` is `delete`.
    ///
    /// # Errors
    /// No turn is in view.
    pub fn undone_turn(&self) -> Result<ExchangeId> {
        match mark(&self.records, Change::Undo).map_err(ChangeError::from)? {
            Mark::Group { exchange, .. } => Ok(exchange),
            _ => Err(Error::Refused("there is no turn to undo".to_owned())),
        }
    }
}

/// The ports of a session that no agent has open.
pub struct StoredPorts {
    log: Arc<dyn MessageLog>,
    snapshots: Arc<dyn SnapshotStore>,
    results: Arc<dyn ResultRepository>,
}

impl StoredPorts {
    pub fn ports<'p>(&'p self, handle: &'p SessionHandle) -> SessionPorts<'p> {
        SessionPorts {
            session: &handle.session,
            log: self.log.as_ref(),
            snapshots: self.snapshots.as_ref(),
            results: self.results.as_ref(),
            counter: handle.counter.as_ref(),
        }
    }
}

impl SessionHandle {
    /// A session of a storage. It need not exist yet.
    #[must_use]
    pub fn new(storage: Storage, session: SessionId) -> Self {
        Self { storage, session, counter: Estimator::default().counter() }
    }

    /// The folder that the session works in; `None`: it names none, or is not stored yet.
    ///
    /// # Errors
    /// The list of sessions cannot be read.
    pub async fn workspace(&self) -> Result<Option<PathBuf>> {
        let info = self.storage.store.sessions().get(&self.session).await?;
        Ok(info.map(|info| info.workspace).filter(|folder| !folder.is_empty()).map(PathBuf::from))
    }

    /// Takes the session's lock. `None`: the agent has it.
    ///
    /// # Errors
    /// Another process has the session open, or the key that the database is encrypted with is missing.
    pub async fn lock(&self, writer: &SessionWriter<'_>) -> Result<Option<SessionLock>> {
        self.storage.check_key()?;
        match writer {
            SessionWriter::Handle => Ok(Some(self.storage.lock(&self.session).await?)),
            SessionWriter::Agent(..) => Ok(None),
        }
    }

    /// Does work of a session that no agent has open under its lock, and gives the lock back.
    ///
    /// # Errors
    /// As for [`lock`](Self::lock), or the work failed.
    pub async fn locked<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let lock = self.lock(&SessionWriter::Handle).await?;
        let done = work.await;
        if let Some(lock) = lock {
            lock.give_back().await;
        }
        done
    }

    /// Reads the whole log. Lost records are left out, see [`Storage::lost_records`].
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn log(&self) -> Result<SessionLog> {
        Ok(self.log_and_lost().await?.0)
    }

    /// The same, and the records that cannot be read or do not fit the others, in order.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn log_and_lost(&self) -> Result<(SessionLog, Vec<Unreadable>)> {
        let page = self.storage.read(&self.session).await?;
        let last = page.last();
        let (view, misfits) = project_readable(&page.records, self.counter.as_ref());
        let misfits: Vec<Unreadable> =
            misfits.iter().map(|error| Unreadable::one(error.seq, error.source.to_string())).collect();
        self.storage.note_lost(&misfits);
        let lost = merged(page.unreadable.into_iter().chain(misfits).collect());
        Ok((SessionLog { records: page.records, view, last }, lost))
    }

    /// Changes what is shown of the session. The caller holds the lock.
    ///
    /// # Errors
    /// The change is refused, or the log failed.
    pub async fn change(&self, writer: &mut SessionWriter<'_>, change: Change) -> Result<Changed> {
        if let SessionWriter::Agent(agent, sink) = writer {
            return Ok(agent.change(change, *sink).await?);
        }
        let stored = self.stored_ports();
        Ok(change_session(&stored.ports(self), change, now()).await?)
    }

    /// Drops one result or picture from view, or shows it again. The caller holds the lock.
    ///
    /// # Errors
    /// The change is refused, or the storage failed.
    pub async fn change_item(
        &self,
        writer: &mut SessionWriter<'_>,
        place: ItemPlace,
        drop: bool,
    ) -> Result<Changed> {
        if let SessionWriter::Agent(agent, sink) = writer {
            return Ok(agent.change_item(place, drop, *sink).await?);
        }
        let stored = self.stored_ports();
        Ok(change_item_in_session(&stored.ports(self), place, drop, now()).await?)
    }

    /// The ports of the session's storage.
    pub fn stored_ports(&self) -> StoredPorts {
        let storage = &self.storage;
        StoredPorts { log: storage.log(), snapshots: storage.snapshots(), results: storage.results() }
    }

    /// Pins a target, or the span of text in it: it stays in every later request, word for word. The caller holds the lock.
    ///
    /// # Errors
    /// It cannot be pinned, the pins would take more than their share of the window, no agent has the session open and it
    /// has sent no request yet, or the log failed.
    pub async fn pin(
        &self,
        writer: &mut SessionWriter<'_>,
        target: PinTarget,
        span: Option<&str>,
    ) -> Result<Changed> {
        if let SessionWriter::Agent(agent, sink) = writer {
            return Ok(agent.pin(target, span, *sink).await?);
        }
        let agent = self.measuring().await?;
        let stored = self.stored_ports();
        let pinned = pin_in_session(&stored.ports(self), target, span, agent.pin_limit(), now()).await;
        Ok(pinned.map_err(|error| agent.shown_error(error))?)
    }

    /// The window of the next request of a session that no agent has open.
    ///
    /// # Errors
    /// It has sent no request yet; or its log or the settings cannot be read.
    pub async fn next_window(&self) -> Result<WindowFigures> {
        Ok(self.measuring().await?.budget().window_figures())
    }

    /// An agent that has the session open to measure it.
    async fn measuring(&self) -> Result<Agent> {
        let Some(receipt) = self.newest_receipt().await? else { return Err(self.no_request()) };
        let reader = self.newest_model().await?;
        Ok(closed::agent(self, &receipt, reader.as_ref()).await?.0)
    }

    pub(crate) fn no_request(&self) -> Error {
        Error::missing(format!("session {} has sent no request yet", self.session))
    }

    /// Replaces the text of a document on the user's behalf and returns the new revision. The caller holds the lock.
    ///
    /// # Errors
    /// The log failed.
    pub async fn write_document(
        &self,
        writer: &mut SessionWriter<'_>,
        log: &SessionLog,
        name: DocumentName,
        text: &str,
    ) -> Result<Seq> {
        if let SessionWriter::Agent(agent, sink) = writer {
            return Ok(agent.set_document(name, text, *sink).await);
        }
        let record = DocumentRecord { name, text: text.to_owned(), by: Source::User };
        Ok(self.append(log, RecordBody::Document(record)).await?.seq)
    }

    /// Appends a record to the log. The caller holds the lock, and no agent has the session open.
    ///
    /// # Errors
    /// The log failed.
    pub async fn append(&self, log: &SessionLog, body: RecordBody) -> Result<Record> {
        let seq = log.last.next();
        let newest = log.records.iter().map(|record| record.exchange).max().unwrap_or_default();
        let exchange = log.view.groups().open_group(newest);
        let record = Record { seq, at: now(), exchange, body };
        self.storage.log().append(&self.session, std::slice::from_ref(&record)).await?;
        Ok(record)
    }
}
