//! The data folder and the database in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throughline_agent::AgentBuilder;
use throughline_continuity::{MessageLog as _, Part, SessionDirectory as _, SessionInfo, SessionSummary};
use throughline_conversation::{Record, Seq, SessionId};
use throughline_store::{DataDir, Store};

use crate::error::{Attempt as _, Error, Result};

/// The data folder and the open database in it.
#[derive(Debug, Clone)]
pub struct Storage {
    /// The folder.
    pub folder: DataDir,
    /// The folder as the caller named it; `None`: the user's own.
    pub named: Option<PathBuf>,
    /// The database.
    pub store: Store,
}

impl Storage {
    /// Opens the data folder: the one given, or the user's own.
    ///
    /// # Errors
    /// The folder cannot be created, or the database cannot be opened.
    pub async fn open(folder: Option<PathBuf>) -> Result<Self> {
        let named = folder.clone();
        let folder = DataDir::new(folder)?;
        let store = Store::open(&folder.database()).await?;
        Ok(Self { folder, named, store })
    }

    /// Gives an agent the log, the snapshots and the results of this database.
    #[must_use]
    pub fn attach(&self, builder: AgentBuilder) -> AgentBuilder {
        builder
            .log(Arc::new(self.store.message_log()))
            .snapshots(Arc::new(self.store.snapshots()))
            .results(Arc::new(self.store.results()))
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

    /// All records of a session.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn records(&self, session: &SessionId) -> Result<Vec<Record>> {
        let read = self.store.message_log().read(session, Seq(0), Part::All).await;
        read.attempt(|| format!("could not read session {session} from {}", self.folder.database().display()))
    }

    /// Finds the session that the user names: by its id, by the start of one, or as `last`.
    ///
    /// # Errors
    /// No session, or more than one, has this name.
    pub async fn find(&self, name: &str) -> Result<SessionId> {
        let all = self.store.sessions().list().await?;
        let Some(newest) = all.first() else {
            return Err(Error::usage("there is no session yet; `throughline demo` makes one"));
        };
        if name == "last" {
            return Ok(newest.info.id.clone());
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
            (None, _) => {
                Err(Error::usage(format!("there is no session {name:?}; `throughline sessions` lists them")))
            }
        }
    }

    /// The sessions that a name fits: the one with this id, else the one whose id begins so, else all that have every word
    /// of it in their titles. Never empty.
    ///
    /// # Errors
    /// No session fits.
    pub async fn matching(&self, name: &str) -> Result<Vec<SessionSummary>> {
        let all = self.store.sessions().list().await?;
        let by_id = self.find(name).await;
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

    /// The session of a workspace that was worked on last. Skips sessions without a message.
    ///
    /// # Errors
    /// The workspace has none.
    pub async fn newest_of(&self, workspace: &Path) -> Result<SessionId> {
        let here = workspace.display().to_string();
        let all = self.store.sessions().list().await?;
        let newest = all.into_iter().find(|session| session.info.workspace == here && session.exchanges > 0);
        match newest {
            Some(newest) => Ok(newest.info.id),
            None => Err(Error::usage(format!("there is no session of folder {here} to go on with"))),
        }
    }
}
