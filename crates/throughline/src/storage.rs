//! The data folder, and the database in it or on a server.

mod opening;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use throughline_agent::AgentBuilder;
use throughline_continuity::{
    LogError, LogPage, MessageLog, Pages, Part, ProjectedLog, SessionDirectory as _, SessionInfo,
    SessionSummary, SnapshotStore, Unreadable, merged, project_log, read_all,
};
use throughline_conversation::{Millis, Record, RecordBody, Seq, SessionId, TokenCounter, View};
use throughline_resultstore::{ResultRepository, StoredResult};
use throughline_store::{DataDir, LockError, LogChanges, SessionLock, Store};

use crate::config::layers::has_command_line;
use crate::error::{Attempt as _, Error, Result};

/// The data folder, and the open database in it or on a server.
#[derive(Debug, Clone)]
pub struct Storage {
    /// The folder.
    pub folder: DataDir,
    /// The folder as the caller named it; `None`: the user's own.
    pub named: Option<PathBuf>,
    /// The database.
    pub store: Store,
    ports: Option<Ports>,
    /// Why no session may be written: the key that the database is encrypted with is missing.
    key_problem: Option<Arc<str>>,
    /// What reads of logs have found lost.
    lost: Arc<Mutex<Vec<Unreadable>>>,
}

/// Storage of sessions that the embedder brings.
#[derive(Debug, Clone)]
struct Ports {
    log: Arc<dyn MessageLog>,
    snapshots: Arc<dyn SnapshotStore>,
    results: Arc<dyn ResultRepository>,
}

impl Storage {
    /// Stores records, snapshots and results in other places than the database. The list of sessions, memos and locks stay
    /// in the data folder.
    #[must_use]
    pub fn with_ports(
        self,
        log: Arc<dyn MessageLog>,
        snapshots: Arc<dyn SnapshotStore>,
        results: Arc<dyn ResultRepository>,
    ) -> Self {
        Self { ports: Some(Ports { log, snapshots, results }), ..self }
    }

    /// The log of every session.
    #[must_use]
    pub fn log(&self) -> Arc<dyn MessageLog> {
        let stored = || Arc::new(self.store.message_log()) as Arc<dyn MessageLog>;
        self.ports.as_ref().map_or_else(stored, |ports| Arc::clone(&ports.log))
    }

    /// Returns true if the log is in another place than the database.
    pub(crate) fn has_ports(&self) -> bool {
        self.ports.is_some()
    }

    /// The snapshots.
    #[must_use]
    pub fn snapshots(&self) -> Arc<dyn SnapshotStore> {
        let stored = || Arc::new(self.store.snapshots()) as Arc<dyn SnapshotStore>;
        self.ports.as_ref().map_or_else(stored, |ports| Arc::clone(&ports.snapshots))
    }

    /// The stored tool results.
    #[must_use]
    pub fn results(&self) -> Arc<dyn ResultRepository> {
        let stored = || Arc::new(self.store.results()) as Arc<dyn ResultRepository>;
        self.ports.as_ref().map_or_else(stored, |ports| Arc::clone(&ports.results))
    }

    /// Gives an agent the log, the snapshots and the results.
    #[must_use]
    pub fn attach(&self, builder: AgentBuilder) -> AgentBuilder {
        builder.log(self.log()).snapshots(self.snapshots()).results(self.results())
    }

    /// Erases deleted memos and titles from the files of the database if the log is elsewhere; the database's own log has
    /// done it.
    pub(crate) async fn erase_deleted(&self) -> Result<()> {
        if self.ports.is_some() && !self.store.forget_deleted().await? {
            let held = "another program has the database open; delete the turn again";
            return Err(held).attempt(|| "deleted bytes could not be erased".to_owned());
        }
        Ok(())
    }

    /// Returns true if the sessions are on a server that the command line names.
    #[must_use]
    pub fn is_named_server(&self) -> bool {
        self.store.is_server() && has_command_line()
    }

    /// Says when to look for records that another task or process has appended.
    #[must_use]
    pub fn changes(&self) -> LogChanges {
        if self.has_ports() { LogChanges::by_looking() } else { self.store.changes() }
    }

    /// Takes the lock of a session: [`Store::lock`].
    ///
    /// # Errors
    /// Another process has the session open, or the lock cannot be had.
    pub async fn lock(&self, session: &SessionId) -> Result<SessionLock, LockError> {
        self.store.lock(self.folder.root(), session).await
    }

    /// Creates a session as a copy of another: its records and its stored results.
    ///
    /// # Errors
    /// The new id is taken, or the storage failed.
    pub async fn fork(&self, from: &SessionId, to: &SessionInfo) -> Result<()> {
        let Some(ports) = &self.ports else { return Ok(self.store.fork(from, to).await?) };
        self.store.sessions().create(to).await?;
        let records = read_all(ports.log.as_ref(), from, Seq(0), Part::All).await?.records;
        for listed in ports.results.list(from).await? {
            if let Some(result) = ports.results.get(from, &listed.id).await? {
                ports.results.put(&StoredResult { session: to.id.clone(), ..result }).await?;
            }
        }
        Ok(ports.log.append(&to.id, &records).await?)
    }

    /// Lists the session, unless it is listed.
    ///
    /// # Errors
    /// The database failed.
    pub async fn create_session(&self, info: &SessionInfo) -> Result<()> {
        let sessions = self.store.sessions();
        if sessions.get(&info.id).await?.is_none() {
            sessions.create(info).await?;
        }
        Ok(())
    }

    /// All sessions, the one with the newest activity first. With a log of the caller's own, the figures are those of that
    /// log; a session whose records it cannot read has none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn sessions(&self) -> Result<Vec<SessionSummary>> {
        let mut all = self.store.sessions().list().await?;
        if let Some(ports) = &self.ports {
            for session in &mut all {
                *session = figures(ports.log.as_ref(), session.info.clone()).await;
            }
            all.sort_by_key(|session| std::cmp::Reverse(session.last_activity));
        }
        Ok(all)
    }

    /// All records of a session, and the places of those that are lost.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn read(&self, session: &SessionId) -> Result<LogPage> {
        let read = read_all(self.log().as_ref(), session, Seq(0), Part::All).await;
        let page = read.attempt(|| self.unread(session))?;
        self.note_lost(&page.unreadable);
        Ok(page)
    }

    /// Reads a session's records one by one, oldest first. Only a page of them is in memory. Lost records are left out, see
    /// [`lost_records`](Self::lost_records).
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn each_record(&self, session: &SessionId, mut take: impl FnMut(&Record)) -> Result<()> {
        let log = self.log();
        let mut pages = Pages::new(log.as_ref(), session, Part::All);
        let mut lost = Vec::new();
        while let Some(page) = pages.next().await.attempt(|| self.unread(session))? {
            page.records.iter().for_each(&mut take);
            lost.extend(page.unreadable);
        }
        self.note_lost(&merged(lost));
        Ok(())
    }

    /// The view of a session. `take` gets each of its records once, oldest first. Only the view and a page of records are
    /// in memory. Lost records are left out, see [`lost_records`](Self::lost_records).
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn view(
        &self,
        session: &SessionId,
        counter: &dyn TokenCounter,
        mut take: impl FnMut(&Record) + Send,
    ) -> Result<View> {
        let projected = project_log(self.log().as_ref(), session, Part::All, counter, &mut take).await;
        let ProjectedLog { view, unreadable, .. } = projected.attempt(|| self.unread(session))?;
        self.note_lost(&unreadable);
        Ok(view)
    }

    /// The receipts and side requests of a session, with the records that name their models, in order: what its cost
    /// follows from. Damaged records are left out.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn usage_records(&self, session: &SessionId) -> Result<Vec<Record>> {
        let Some(ports) = &self.ports else {
            return Ok(self.store.usage_records(Some(session), Millis(0)).await?);
        };
        let mut pages = Pages::new(ports.log.as_ref(), session, Part::All);
        let mut records = Vec::new();
        let tells = |record: &Record| matches!(record.body.kind(), "model" | "receipt" | "spent");
        while let Some(page) = pages.next().await? {
            records.extend(page.records.into_iter().filter(tells));
        }
        Ok(records)
    }

    fn unread(&self, session: &SessionId) -> String {
        format!("could not read session {session} from {}", self.store.path().display())
    }

    /// Notes records that are lost, for [`lost_records`](Self::lost_records).
    pub fn note_lost(&self, unreadable: &[Unreadable]) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<Unreadable> = unreadable.iter().filter(|one| !lost.contains(one)).cloned().collect();
        lost.extend(new);
    }

    /// The records that [`read`](Self::read) and [`records`](Self::records) have found lost so far.
    #[must_use]
    pub fn lost_records(&self) -> Vec<Unreadable> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The newest record of a kind; if that one is damaged, the newest one that is not.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn newest_record(&self, session: &SessionId, kind: &str) -> Result<Option<Record>> {
        match self.log().newest(session, kind).await {
            Err(LogError::Damaged { .. }) => {
                let records = self.records(session).await?;
                Ok(records.into_iter().rfind(|record| record.body.kind() == kind))
            }
            newest => Ok(newest?),
        }
    }

    /// All records of a session that can be read.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn records(&self, session: &SessionId) -> Result<Vec<Record>> {
        Ok(self.read(session).await?.records)
    }

    /// Finds the session that the user names: by its id, by the start of one, or as `last`: the newest one of a folder.
    ///
    /// # Errors
    /// No session, or more than one, has this name.
    pub async fn find(&self, name: &str, folder: Option<&Path>) -> Result<SessionId> {
        let all = self.sessions().await?;
        if all.is_empty() {
            return Err(Error::missing("there is no session yet; `throughline demo` makes one"));
        }
        if name == "last" {
            return newest(&all, folder);
        }
        if let Some(found) = all.iter().find(|session| session.info.id.as_str() == name) {
            return Ok(found.info.id.clone());
        }
        if name.is_empty() {
            return Err(Error::usage("name a session: its id, the start of one, or `last`"));
        }
        let mut begins = all.iter().filter(|session| session.info.id.as_str().starts_with(name));
        match (begins.next(), begins.next()) {
            (Some(found), None) => Ok(found.info.id.clone()),
            (Some(_), Some(_)) => {
                Err(Error::usage(format!("several sessions begin with {name:?}; write more of the id")))
            }
            (None, _) => Err(Error::missing(format!(
                "there is no session {name:?}; `throughline sessions` lists them"
            ))),
        }
    }

    /// The sessions that a name fits: the one with this id, `last` (the newest of the folder), the one whose id begins so,
    /// else all that have every word of it in their titles. Never empty.
    ///
    /// # Errors
    /// No session fits.
    pub async fn matching(&self, name: &str, folder: Option<&Path>) -> Result<Vec<SessionSummary>> {
        let all = self.sessions().await?;
        let by_id = self.find(name, folder).await;
        if let Ok(id) = &by_id {
            return Ok(all.into_iter().filter(|session| session.info.id == *id).collect());
        }
        let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
        let fits = |session: &SessionSummary| {
            let title = session.info.title.to_lowercase();
            !words.is_empty() && words.iter().all(|word| title.contains(word))
        };
        let found: Vec<SessionSummary> = all.into_iter().filter(fits).collect();
        match by_id {
            Err(error) if found.is_empty() => Err(error),
            _ => Ok(found),
        }
    }

    /// Removes a session in which no model was asked: its records, its place in the list and its lock file.
    ///
    /// # Errors
    /// The storage failed.
    pub async fn discard(&self, session: &SessionId, lock: SessionLock) -> Result<()> {
        self.store.sessions().remove(session).await?;
        lock.remove().attempt(|| format!("could not remove the lock of session {session}"))
    }

    /// The session that was worked on last in a folder; `None`: in any folder. Skips sessions without a message.
    ///
    /// # Errors
    /// No such session exists.
    pub async fn newest(&self, folder: Option<&Path>) -> Result<SessionId> {
        newest(&self.sessions().await?, folder)
    }
}

/// The first session of a list, newest first, that has a message and belongs to the folder.
fn newest(all: &[SessionSummary], folder: Option<&Path>) -> Result<SessionId> {
    let folder = folder.map(|folder| folder.display().to_string());
    let belongs = |session: &&SessionSummary| {
        session.exchanges > 0 && folder.as_ref().is_none_or(|folder| session.info.workspace == *folder)
    };
    match (all.iter().find(belongs), folder) {
        (Some(newest), _) => Ok(newest.info.id.clone()),
        (None, Some(folder)) => Err(Error::usage(format!(
            "there is no session of folder {folder} yet; name a session, or add --any-folder to take the newest of all"
        ))),
        (None, None) => Err(Error::usage("there is no session with a message yet")),
    }
}

/// The figures of a session by a log.
async fn figures(log: &dyn MessageLog, info: SessionInfo) -> SessionSummary {
    let records = log.last(&info.id).await.unwrap_or_default().0;
    let message = log.newest(&info.id, "message").await.ok().flatten();
    let receipt = match log.newest(&info.id, "receipt").await.ok().flatten().map(|record| record.body) {
        Some(RecordBody::Receipt(receipt)) => Some(receipt),
        _ => None,
    };
    SessionSummary {
        records,
        exchanges: message.as_ref().map_or(0, |message| message.exchange.0),
        requests: receipt.as_ref().map_or(0, |receipt| receipt.request),
        last_activity: message.map_or(info.created, |message| message.at),
        last_tokens: receipt.map(|receipt| receipt.window.used.total()),
        info,
    }
}
