//! What is known of a server, for a person.

/// Where a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerStatus {
    /// Its tools are known from before, and nothing was asked of it yet.
    Idle,
    /// It is being started, or was never asked.
    Starting,
    /// It answers.
    Running,
    /// It ran and has ended; the next call starts it.
    Ended,
    /// It could not be started, or broke.
    Failed,
}

/// A server as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerReport {
    /// Its configured name.
    pub name: String,
    /// `stdio`, `http` or `local`.
    pub kind: &'static str,
    /// Where it stands.
    pub status: ServerStatus,
    /// How many tools it has; `None` when that is not known.
    pub tools: Option<usize>,
    /// What a person should know: why it failed, which tools were left out. One line each, without secrets.
    pub notes: Vec<String>,
}
