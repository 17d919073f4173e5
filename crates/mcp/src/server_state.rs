//! How far a server is: which tools it has listed, whether it runs, why not, and when it may be started again.

use std::sync::Arc;

use tokio::time::Instant;

use crate::limits;
use crate::report::ServerStatus;
use crate::tool_list::ToolList;

/// The state of a server.
#[derive(Default)]
pub(crate) struct ServerState {
    listed: Option<Arc<ToolList>>,
    /// When the running server listed them.
    listed_at: Option<Instant>,
    status: Option<ServerStatus>,
    problem: Option<String>,
    /// What the user should know of its skills.
    skill_notes: Vec<String>,
    failures: u32,
    not_before: Option<Instant>,
    closed: bool,
}

impl ServerState {
    /// A server that was not started yet. Its tools are those of the cache, if it has them.
    pub(crate) fn new(known: Option<ToolList>) -> Self {
        let status = known.as_ref().map(|_| ServerStatus::Idle);
        Self { listed: known.map(Arc::new), status, ..Self::default() }
    }

    /// Its tools, if they are known.
    pub(crate) fn listed(&self) -> Option<&Arc<ToolList>> {
        self.listed.as_ref()
    }

    /// The server is being started.
    pub(crate) fn begin_start(&mut self) {
        self.status = Some(ServerStatus::Starting);
    }

    /// The server runs, and has these tools.
    pub(crate) fn set_listed(&mut self, listed: ToolList) {
        self.listed = Some(Arc::new(listed));
        self.listed_at = Some(Instant::now());
        self.status = Some(ServerStatus::Running);
        self.problem = None;
    }

    /// A call was answered: failures before it no longer delay a start.
    pub(crate) fn clear_failures(&mut self) {
        self.failures = 0;
    }

    /// The server failed. The next start waits longer with each failure in a row.
    pub(crate) fn fail(&mut self, status: ServerStatus, why: String) {
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(Instant::now() + limits::back_off(self.failures));
        self.status = Some(status);
        self.problem = Some(why);
    }

    /// Sets what the user should know of a server that runs in spite of it.
    pub(crate) fn set_problem(&mut self, why: String) {
        self.problem = Some(why);
    }

    /// Sets what the user should know of its skills.
    pub(crate) fn set_skill_notes(&mut self, notes: Vec<String>) {
        self.skill_notes = notes;
    }

    /// The server is shut down permanently.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// Returns true if its tools are unknown and a start may succeed now. A new login ends the wait after a failure.
    pub(crate) fn should_start(&self, has_new_login: bool) -> bool {
        let waits = self.not_before.is_some_and(|until| until > Instant::now()) && !has_new_login;
        self.listed.is_none() && !waits && !self.closed
    }

    /// # Errors
    /// Why it cannot be started now.
    pub(crate) fn check_start(&self, has_new_login: bool) -> Result<(), String> {
        if self.closed {
            return Err("it was shut down with the session".to_owned());
        }
        let left = self.not_before.and_then(|until| until.checked_duration_since(Instant::now()));
        match (left, &self.problem) {
            (Some(left), Some(problem)) if !left.is_zero() && !has_new_login => {
                Err(format!("{problem} (it is started again in {} s at the earliest)", left.as_secs() + 1))
            }
            _ => Ok(()),
        }
    }

    /// Returns true if the list holds no longer, by what the server said of it.
    pub(crate) fn is_stale(&self) -> bool {
        let fresh = self.listed.as_ref().and_then(|listed| listed.fresh);
        fresh.zip(self.listed_at).is_some_and(|(fresh, at)| at.elapsed() >= fresh.max(limits::RELIST))
    }

    /// The status, where the connection is known to be alive or not.
    pub(crate) fn status(&self, alive: Option<bool>) -> ServerStatus {
        match (self.status, alive) {
            (Some(ServerStatus::Running), Some(false)) => ServerStatus::Ended,
            // The start was aborted.
            (Some(ServerStatus::Starting), Some(false)) if self.listed.is_some() => ServerStatus::Idle,
            (status, _) => status.unwrap_or(ServerStatus::Starting),
        }
    }

    /// What the user should know, a line each.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.problem.iter().cloned().collect();
        if self.listed.is_none() && notes.is_empty() {
            notes.push("it is still starting; its tools come later".to_owned());
        }
        notes.extend(self.skill_notes.iter().cloned());
        notes.extend(self.listed.iter().flat_map(|listed| listed.notes.iter().cloned()));
        notes
    }
}
