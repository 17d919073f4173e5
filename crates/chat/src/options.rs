//! What a session on the screen is started with.

use std::path::PathBuf;

use throughline_commands::SessionChoice;
use throughline_session::{RunOptions, RunSources};

/// What a session on the screen is started with.
#[derive(Debug, Clone)]
pub struct ChatOptions {
    /// The first prompt.
    pub prompt: Option<String>,
    /// The model, its limits and its tools.
    pub run: RunOptions,
    /// Where the settings come from.
    pub sources: RunSources,
    /// The folder to work in. `None`: the current one.
    pub workspace: Option<PathBuf>,
    /// The first session.
    pub choice: SessionChoice,
}
