//! A server in this very process.

use std::fmt::Debug;

use tokio::io::{AsyncRead, AsyncWrite};

/// The two ends that messages go over.
pub struct Pipe {
    /// What the server writes: one JSON-RPC message in each line.
    pub output: Box<dyn AsyncRead + Send + Unpin>,
    /// What the server reads.
    pub input: Box<dyn AsyncWrite + Send + Unpin>,
}

impl Debug for Pipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pipe")
    }
}

/// A server that lives in this process, for programs that bring one and for tests.
///
/// # Contract
/// - MUST give a new connection at each call, to a server that expects the handshake of MCP.
/// - MUST end the connection's work when both ends are dropped.
///
/// # When it fails
/// It does not: a server that cannot be reached gives a pipe whose output is at its end.
pub trait LocalServer: Debug + Send + Sync {
    /// What tells it from others.
    fn name(&self) -> String;

    /// A new connection.
    fn connect(&self) -> Pipe;
}

const _: Option<&dyn LocalServer> = None;
