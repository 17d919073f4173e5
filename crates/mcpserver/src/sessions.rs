//! The sessions that a client may see.

use throughline_continuity::SessionSummary;
use throughline_stored::{SessionHandle, Storage};
use throughline_text::cut_end;

use crate::error::CallError;
use crate::workspace::Workspace;

/// Maximum bytes of a name that an error repeats.
const ECHO: usize = 80;

/// The visible sessions of a storage, the one that was written last first.
#[derive(Debug)]
pub(crate) struct Sessions {
    storage: Storage,
    all: Vec<SessionSummary>,
}

impl Sessions {
    /// Lists them.
    pub(crate) async fn of(storage: &Storage, workspace: &Workspace) -> Result<Self, CallError> {
        let mut all = storage.sessions().await?;
        all.retain(|session| workspace.shows(&session.info.workspace));
        Ok(Self { storage: storage.clone(), all })
    }

    /// All that have a message.
    pub(crate) fn spoken(&self) -> impl Iterator<Item = &SessionSummary> {
        self.all.iter().filter(|session| session.exchanges > 0)
    }

    /// All of them.
    pub(crate) fn all(&self) -> &[SessionSummary] {
        &self.all
    }

    /// The session of this id.
    pub(crate) fn exact(&self, id: &str) -> Option<&SessionSummary> {
        self.all.iter().find(|session| session.info.id.as_str() == id)
    }

    /// The session of this id, or the only one whose id begins so.
    ///
    /// # Errors
    /// None is visible. The text is the same if it does not exist.
    pub(crate) fn named(&self, name: &str) -> Result<&SessionSummary, CallError> {
        if let Some(exact) = self.exact(name) {
            return Ok(exact);
        }
        let mut begins = self.all.iter().filter(|session| session.info.id.as_str().starts_with(name));
        match (begins.next(), begins.next()) {
            (Some(one), None) => Ok(one),
            (Some(_), Some(_)) => Err(CallError::input(format!(
                "several sessions begin with {:?}; write more of the id; session_context lists the ids",
                cut_end(name, ECHO)
            ))),
            (None, _) => Err(CallError::input(format!(
                "there is no session {:?} in this workspace; session_context lists those that there are (a server that was \
                 started with --any-folder shows the sessions of every folder)",
                cut_end(name, ECHO)
            ))),
        }
    }

    /// The named session; without a name the newest one that has a message.
    pub(crate) fn choose(&self, name: Option<&str>) -> Result<&SessionSummary, CallError> {
        match name {
            Some(name) => self.named(name),
            None => self
                .spoken()
                .next()
                .ok_or_else(|| CallError::input("there is no session with a message in this workspace yet")),
        }
    }

    /// A session to read.
    pub(crate) fn handle(&self, session: &SessionSummary) -> SessionHandle {
        SessionHandle::new(self.storage.clone(), session.info.id.clone())
    }
}
