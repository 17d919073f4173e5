//! The list of sessions, and the sessions that a name fits.

use std::path::Path;

use throughline_continuity::{MessageLog, SessionDirectory as _, SessionInfo, SessionSummary};
use throughline_conversation::{RecordBody, SessionId};
use throughline_store::ListedSession;

use super::Storage;
use crate::error::{Error, Result};
use crate::folder_scope::FolderScope;

impl Storage {
    /// All sessions, the one with the newest activity first. With a log of the caller's own, the figures are those of that
    /// log; a session whose records it cannot read has none.
    ///
    /// # Errors
    /// The database failed.
    pub async fn sessions(&self) -> Result<Vec<SessionSummary>> {
        let mut all = self.store.sessions().list().await?;
        if let Some(ports) = &self.ports {
            for session in &mut all {
                let parent = session.parent.take();
                *session =
                    SessionSummary { parent, ..figures(ports.log.as_ref(), session.info.clone()).await };
            }
            all.sort_by_key(|session| std::cmp::Reverse(session.last_activity));
        }
        Ok(all)
    }

    /// A session as [`sessions`](Self::sessions) lists it, without reading the others.
    ///
    /// # Errors
    /// The database failed.
    pub async fn session(&self, session: &SessionId) -> Result<Option<SessionSummary>> {
        let Some(found) = self.store.sessions().summary(session).await? else { return Ok(None) };
        Ok(Some(match &self.ports {
            Some(ports) => {
                let parent = found.parent;
                SessionSummary { parent, ..figures(ports.log.as_ref(), found.info).await }
            }
            None => found,
        }))
    }

    /// The entry of a session in the list.
    ///
    /// # Errors
    /// The database failed.
    pub async fn session_info(&self, session: &SessionId) -> Result<Option<SessionInfo>> {
        Ok(self.store.sessions().get(session).await?)
    }

    /// All sessions without figures, the one with the newest activity first.
    ///
    /// # Errors
    /// The database failed.
    async fn names(&self) -> Result<Vec<ListedSession>> {
        if !self.has_ports() {
            return Ok(self.store.session_names().await?);
        }
        // The order follows from that log.
        let listed = self.sessions().await?.into_iter();
        Ok(listed.map(|one| ListedSession { info: one.info, parent: one.parent }).collect())
    }

    /// The same of the folders of a scope.
    ///
    /// # Errors
    /// The database failed.
    pub async fn names_in(&self, scope: &FolderScope) -> Result<Vec<ListedSession>> {
        let mut all = self.names().await?;
        all.retain(|session| scope.contains(&session.info.workspace));
        Ok(all)
    }

    /// These sessions with their figures, without those that were deleted meanwhile.
    ///
    /// # Errors
    /// The database failed.
    pub async fn with_figures(&self, listed: &[ListedSession]) -> Result<Vec<SessionSummary>> {
        let mut found = Vec::with_capacity(listed.len());
        for one in listed {
            found.extend(self.session(&one.info.id).await?);
        }
        Ok(found)
    }

    /// Finds the session that the user names: by its id, by the start of one, or as `last`: the newest one of a folder.
    ///
    /// # Errors
    /// No session, or more than one, has this name.
    pub async fn find(&self, name: &str, folder: Option<&Path>) -> Result<SessionId> {
        self.found(&self.names().await?, name, folder).await
    }

    /// The sessions that a name fits: the one with this id, `last` (the newest of the folder), the one whose id begins so,
    /// else all that have every word of it in their titles. Never empty.
    ///
    /// # Errors
    /// No session fits.
    pub async fn matching(&self, name: &str, folder: Option<&Path>) -> Result<Vec<SessionSummary>> {
        let names = self.matching_in(name, folder, &FolderScope::default()).await?;
        self.with_figures(&names).await
    }

    /// The same among the sessions of the folders of a scope, without figures.
    ///
    /// # Errors
    /// No session fits.
    pub async fn matching_in(
        &self,
        name: &str,
        folder: Option<&Path>,
        scope: &FolderScope,
    ) -> Result<Vec<ListedSession>> {
        let all = self.names_in(scope).await?;
        let by_id = self.found(&all, name, folder).await;
        if let Ok(id) = &by_id {
            return Ok(all.into_iter().filter(|session| session.info.id == *id).collect());
        }
        let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
        let fits = |session: &ListedSession| {
            let title = session.info.title.to_lowercase();
            session.parent.is_none() && !words.is_empty() && words.iter().all(|word| title.contains(word))
        };
        let found: Vec<ListedSession> = all.into_iter().filter(fits).collect();
        match by_id {
            Err(error) if found.is_empty() => Err(error),
            _ => Ok(found),
        }
    }

    /// The sessions of the folders of a scope, the one with the newest activity first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn sessions_in(&self, scope: &FolderScope) -> Result<Vec<SessionSummary>> {
        let mut all = self.sessions().await?;
        all.retain(|session| scope.contains(&session.info.workspace));
        Ok(all)
    }

    /// The session that was worked on last in a folder; `None`: in any folder. Skips sessions without a message and those of
    /// sub-agents.
    ///
    /// # Errors
    /// No such session exists.
    pub async fn newest(&self, folder: Option<&Path>) -> Result<SessionId> {
        self.newest_of(&self.names().await?, folder).await
    }

    /// The session of a list that a name means, as [`find`](Self::find) says.
    async fn found(&self, all: &[ListedSession], name: &str, folder: Option<&Path>) -> Result<SessionId> {
        if all.is_empty() {
            return Err(Error::missing(
                "there is no session yet; `throughline` starts one in the current folder",
            ));
        }
        if name == "last" {
            return self.newest_of(all, folder).await;
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

    /// The first session of a list, newest first, that has a message and belongs to the folder.
    async fn newest_of(&self, all: &[ListedSession], folder: Option<&Path>) -> Result<SessionId> {
        let folder = folder.map(|folder| folder.display().to_string());
        let belongs = |session: &&ListedSession| {
            session.parent.is_none() && folder.as_ref().is_none_or(|folder| session.info.workspace == *folder)
        };
        for listed in all.iter().filter(belongs) {
            if self.session(&listed.info.id).await?.is_some_and(|session| session.exchanges > 0) {
                return Ok(listed.info.id.clone());
            }
        }
        Err(Error::usage(match folder {
            Some(folder) => format!(
                "there is no session of folder {folder} yet; name a session, or add --any-folder to take the newest of all"
            ),
            None => "there is no session with a message yet".to_owned(),
        }))
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
        parent: None,
        info,
    }
}
