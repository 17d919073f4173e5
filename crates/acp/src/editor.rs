//! The client, and what it can do.

use std::sync::{Arc, OnceLock};

use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    ClientCapabilities, ElicitationCapabilities, Notice, NoticeSeverity, RequestPermissionOutcome,
    RequestPermissionRequest, SessionId, SessionNotification, SessionUpdate,
};
use agent_client_protocol::{Client, Result};

/// What a client said that it can do, once it has initialized the connection.
pub(crate) type Capabilities = Arc<OnceLock<ClientCapabilities>>;

/// The client of a connection.
#[derive(Clone)]
pub(crate) struct Editor {
    pub(crate) connection: ConnectionTo<Client>,
    pub(crate) capabilities: Capabilities,
    pub(crate) log: fn(&str),
}

impl Editor {
    /// Sends an update. A client that is gone gets none.
    pub(crate) fn update(&self, session: &SessionId, update: SessionUpdate) {
        // The end of the connection is handled where it is served.
        let _ = self.connection.send_notification(SessionNotification::new(session.clone(), update));
    }

    /// Sends a notice for the user, or logs it if the client has no place for notices.
    pub(crate) fn notice(&self, session: &SessionId, severity: NoticeSeverity, text: &str) {
        if !self.shows_notices() {
            (self.log)(&format!("{}: {text}", session.0));
            return;
        }
        let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
        let rest = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
        self.update(session, SessionUpdate::Notice(Notice::new(severity, title).description(rest)));
    }

    /// Asks the user whether a call may run.
    ///
    /// # Errors
    /// The client is gone, or does not answer such questions.
    pub(crate) async fn ask(&self, request: RequestPermissionRequest) -> Result<RequestPermissionOutcome> {
        Ok(self.connection.send_request(request).block_task().await?.outcome)
    }

    /// What the client can show of servers' questions; `None`: it shows none.
    pub(crate) fn elicitations(&self) -> Option<&ElicitationCapabilities> {
        self.capabilities.get()?.elicitation.as_ref()
    }

    /// Returns true if the client shows notices.
    fn shows_notices(&self) -> bool {
        let session = self.capabilities.get().and_then(|client| client.session.as_ref());
        session.is_some_and(|session| session.notices.is_some())
    }

    /// Returns true if the client gives the texts of its files.
    pub(crate) fn reads_files(&self) -> bool {
        self.capabilities.get().is_some_and(|client| client.fs.read_text_file)
    }

    /// Returns true if the client writes its files.
    pub(crate) fn writes_files(&self) -> bool {
        self.capabilities.get().is_some_and(|client| client.fs.write_text_file)
    }

    /// Returns true if the client shows compactions.
    pub(crate) fn shows_compactions(&self) -> bool {
        let session = self.capabilities.get().and_then(|client| client.session.as_ref());
        session.is_some_and(|session| session.compaction.is_some())
    }
}
