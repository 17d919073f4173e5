//! The port to a tool.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{ToolCall, ToolDefinition};

use crate::{Access, CancelFlag, Effect, FileGuard, OutputSink, ToolOutput};

/// Where a call runs, and how it is told to stop. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ToolContext {
    /// The folder that the session works in. File tools keep inside it.
    pub workspace: PathBuf,
    /// Raised when the user stops the turn.
    pub cancel: CancelFlag,
    /// Sees what a command writes while it runs. `None`: nobody watches.
    pub output: Option<Arc<dyn OutputSink>>,
    /// Hides files from searches. `None`: all are shown.
    pub files: Option<Arc<dyn FileGuard>>,
}

impl ToolContext {
    /// A context of this folder, not cancelled and not watched, in which nothing is hidden.
    #[must_use]
    pub fn new(workspace: impl Into<PathBuf>) -> Self {
        Self { workspace: workspace.into(), cancel: CancelFlag::new(), output: None, files: None }
    }

    /// Whether a search leaves this file out; see [`FileGuard::hides`].
    #[must_use]
    pub fn hides(&self, shown: &str, real: &Path) -> bool {
        self.files.as_ref().is_some_and(|guard| guard.hides(shown, real))
    }
}

/// Something that a model can call.
///
/// # Contract
/// - MUST give the same definition each time: a changed one makes every cached prefix cold.
/// - MUST answer every call, also one with wrong arguments or of another tool's name, without a panic.
/// - MUST bound its own output, or leave that to nobody: all of it is kept in memory.
/// - MUST stop what it started when the future is dropped: that is how a cancelled call ends, 300 ms after the context's
///   flag was raised. A tool that watches the flag can answer with what it has before.
/// - MUST leave out the files that the context hides, where a call names a folder and not a file.
/// - MUST be safe to call several times at once.
///
/// # When it fails
/// It does not. The output is marked as an error, and its text says what the model can do about it.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait Tool: Debug + Send + Sync {
    /// What the model is told of the tool.
    fn definition(&self) -> ToolDefinition;

    /// What the call would do, and to what, without doing it. A tool that does not know its own effect is asked about.
    fn access(&self, _call: &ToolCall) -> Access {
        Access::unnamed(Effect::Other)
    }

    /// Does what the call asks for.
    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput;
}

const _: Option<&dyn Tool> = None;
