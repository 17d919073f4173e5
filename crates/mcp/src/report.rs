//! The state of a server, for the user.

/// The state of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerStatus {
    /// Its tools are known from the cache; it was not started yet.
    Idle,
    /// It is starting, or was never started.
    Starting,
    /// It is running.
    Running,
    /// It has exited; the next call starts it again.
    Ended,
    /// It could not be started, or failed.
    Failed,
    /// It refuses requests until the user logs in.
    NeedsLogin,
}

/// The state of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerReport {
    /// Its configured name.
    pub name: String,
    /// `stdio`, `http` or `local`.
    pub kind: &'static str,
    /// Its state.
    pub status: ServerStatus,
    /// Number of its tools; `None` if unknown.
    pub tools: Option<usize>,
    /// Notes for the user: why it failed, which tools are missing. One line each, without secrets.
    pub notes: Vec<String>,
}
