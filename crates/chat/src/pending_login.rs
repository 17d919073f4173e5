//! A login to an MCP server that waits for the user's browser.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::UnboundedSender;
use tokio::task::AbortHandle;

/// The login that waits, if there is one. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct PendingLogin(Arc<Mutex<Option<Waiting>>>);

/// A login that waits.
#[derive(Debug)]
struct Waiting {
    server: String,
    pasted: UnboundedSender<String>,
    task: AbortHandle,
}

impl PendingLogin {
    /// Ends the login that waits, and has this one in its place.
    pub(super) fn replace(&self, server: String, pasted: UnboundedSender<String>, task: AbortHandle) {
        if let Some(old) = self.waiting().replace(Waiting { server, pasted, task }) {
            old.task.abort();
        }
    }

    /// Gives the login to a server what the user has pasted. Returns false if it does not wait for that.
    pub(super) fn paste(&self, server: &str, text: &str) -> bool {
        let waiting = self.waiting();
        let login = waiting.as_ref().filter(|login| login.server == server);
        login.is_some_and(|login| login.pasted.send(text.to_owned()).is_ok())
    }

    fn waiting(&self) -> MutexGuard<'_, Option<Waiting>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
