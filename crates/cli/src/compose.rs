//! Composition: the database, the counters and the session that a command works on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use throughline_agent::{AgentBuilder, Clock as _, SystemClock};
use throughline_continuity::{SessionDirectory, SessionInfo};
use throughline_conversation::{Millis, SessionId};
use throughline_store::{DataDir, Store};

use crate::shell::option;

/// The data folder and the open database in it.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    pub(crate) folder: DataDir,
    pub(crate) store: Store,
    /// What to add to a command line for it to find this folder again.
    pub(crate) option: String,
}

impl Data {
    /// Opens the data folder: the one given, or the user's own.
    pub(crate) async fn open(folder: Option<PathBuf>) -> anyhow::Result<Self> {
        let option = option("--data-dir", folder.as_deref());
        let folder = DataDir::new(folder)?;
        let store = Store::open(&folder.database()).await?;
        Ok(Self { folder, store, option })
    }

    /// Gives an agent the stores of this database.
    pub(crate) fn attach(&self, builder: AgentBuilder) -> AgentBuilder {
        builder
            .log(Arc::new(self.store.message_log()))
            .snapshots(Arc::new(self.store.snapshots()))
            .results(Arc::new(self.store.results()))
    }

    /// Makes sure that the session is listed.
    pub(crate) async fn create_session(&self, info: &SessionInfo) -> anyhow::Result<()> {
        let sessions = self.store.sessions();
        if sessions.get(&info.id).await?.is_none() {
            sessions.create(info).await?;
        }
        Ok(())
    }

    /// The session that the user names: by its id, by the start of one, or `last`.
    pub(crate) async fn find(&self, name: &str) -> anyhow::Result<SessionId> {
        let all = self.store.sessions().list().await?;
        let newest = all.first().context("there is no session yet; `throughline demo` makes one")?;
        if name == "last" {
            return Ok(newest.info.id.clone());
        }
        if let Some(found) = all.iter().find(|session| session.info.id.as_str() == name) {
            return Ok(found.info.id.clone());
        }
        anyhow::ensure!(!name.is_empty(), "name a session: its id, the start of one, or `last`");
        let mut begins = all.iter().filter(|session| session.info.id.as_str().starts_with(name));
        match (begins.next(), begins.next()) {
            (Some(found), None) => Ok(found.info.id.clone()),
            (Some(_), Some(_)) => anyhow::bail!("several sessions begin with {name:?}; write more of the id"),
            (None, _) => anyhow::bail!("there is no session {name:?}; `throughline sessions` lists them"),
        }
    }
}

/// The folder that is worked in: the one named, or the current one. Sessions and memos know it by this path.
pub(crate) fn workspace(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let folder = named.unwrap_or(Path::new("."));
    let folder = folder.canonicalize().with_context(|| format!("there is no folder {}", folder.display()))?;
    anyhow::ensure!(folder.is_dir(), "{} is no folder", folder.display());
    Ok(folder)
}

/// Now.
pub(crate) fn now() -> Millis {
    SystemClock.now()
}

/// A new session id: a word, and the time in base 36, so that ids sort by age. Another process may take the same one in
/// the same millisecond.
pub(crate) fn new_session_id(word: &str, at: Millis) -> anyhow::Result<SessionId> {
    let mut number = at.0.unsigned_abs();
    let mut digits = Vec::new();
    while number > 0 {
        digits.push(char::from_digit(u32::try_from(number % 36)?, 36).unwrap_or('0'));
        number /= 36;
    }
    let time: String = digits.into_iter().rev().collect();
    Ok(SessionId::new(format!("{word}-{time}"))?)
}
