//! What the sessions of a client have in common.

use std::sync::Arc;

use throughline_session::{RunOptions, RunSources};
use throughline_stored::Storage;

use crate::commands::SessionCommands;

/// What the sessions of a client have in common.
#[derive(Debug, Clone)]
pub struct AcpOptions {
    /// The model and its tools.
    pub run: RunOptions,
    /// Where the settings come from.
    pub sources: RunSources,
    /// Where sessions are stored.
    pub storage: Storage,
    /// The lines that begin with `/`.
    pub commands: Arc<dyn SessionCommands>,
    /// Takes notices that the client has no place for.
    pub log: fn(&str),
}
