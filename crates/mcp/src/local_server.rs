//! Servers in this process.

use std::fmt::Debug;

use tokio::io::{AsyncRead, AsyncWrite};

/// The two streams of a connection.
pub struct Pipe {
    /// The output of the server: one JSON-RPC message per line.
    pub output: Box<dyn AsyncRead + Send + Unpin>,
    /// The input of the server.
    pub input: Box<dyn AsyncWrite + Send + Unpin>,
}

impl Debug for Pipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pipe")
    }
}

/// A server in this process, for programs that include one and for tests.
///
/// # Contract
/// - MUST return a new connection for each call, to a server that expects the MCP handshake.
/// - MUST end the work of the connection when both streams are dropped.
///
/// # When it fails
/// It cannot fail: an unreachable server returns a pipe whose output is at its end.
pub trait LocalServer: Debug + Send + Sync {
    /// A name that identifies it.
    fn name(&self) -> String;

    /// Opens a new connection.
    fn connect(&self) -> Pipe;
}

const _: Option<&dyn LocalServer> = None;
