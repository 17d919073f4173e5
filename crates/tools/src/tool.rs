//! The port to a tool.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{ToolCall, ToolDefinition};

use crate::access::{Access, Effect};
use crate::cancel::CancelFlag;
use crate::elicitor::Elicitor;
use crate::file_guard::FileGuard;
use crate::file_history::FileHistory;
use crate::file_texts::FileTexts;
use crate::output::ToolOutput;
use crate::output_sink::OutputSink;
use crate::target_error::TargetError;

/// The environment of a call: its folder, its cancel flag and its observers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ToolContext {
    /// The working folder of the session. File tools stay inside it.
    pub workspace: PathBuf,
    /// Raised when the user stops the turn.
    pub cancel: CancelFlag,
    /// Receives the output of a command while it runs.
    pub output: Option<Arc<dyn OutputSink>>,
    /// Hides files from searches. `None` hides none.
    pub files: Option<Arc<dyn FileGuard>>,
    /// Hears of each change of a file before a file tool makes it. `None`: the output of the call reports the change.
    pub history: Option<Arc<dyn FileHistory>>,
    /// Knows texts of files that differ from the disk. `None`: the disk has all of them.
    pub texts: Option<Arc<dyn FileTexts>>,
    /// Asks the user for what the server of a tool wants to know. `None`: no person can be asked.
    pub elicitor: Option<Arc<dyn Elicitor>>,
    /// Where the path of the call leads, as the permissions were decided for it. A file tool opens exactly this: the path
    /// may lead elsewhere by then. `None` makes the tool resolve the path.
    pub target: Option<Result<PathBuf, TargetError>>,
}

impl ToolContext {
    /// A context for this folder with a new cancel flag, without observers.
    #[must_use]
    pub fn new(workspace: impl Into<PathBuf>) -> Self {
        Self {
            workspace: workspace.into(),
            cancel: CancelFlag::new(),
            output: None,
            files: None,
            history: None,
            texts: None,
            elicitor: None,
            target: None,
        }
    }

    /// Returns true if a search must skip this file; see [`FileGuard::hides`].
    #[must_use]
    pub fn hides(&self, shown: &str, real: &Path) -> bool {
        self.files.as_ref().is_some_and(|guard| guard.hides(shown, real))
    }
}

/// Something that a model can call.
///
/// # Contract
/// - MUST return the same definition each time: a change invalidates every cached prefix.
/// - MUST answer every call without a panic, even one with wrong arguments or another tool's name.
/// - MUST limit the size of its output: the caller holds all of it in memory.
/// - MUST stop what it started when the future is dropped. That is how a cancelled call ends, 300 ms after the cancel flag
///   of the context was raised. A tool that watches the flag can return partial output before that.
/// - MUST skip the files that the context hides when a call names a folder instead of a file.
/// - MUST be safe to call concurrently.
///
/// # When it fails
/// It returns an output that is marked as an error, whose text tells the model what to do next.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait Tool: Debug + Send + Sync {
    /// The name, description and argument schema that the model sees.
    fn definition(&self) -> ToolDefinition;

    /// What the call would do, and to what, without doing it. The permission rules decide with it. The default,
    /// [`Effect::Other`], makes the user approve each call.
    fn access(&self, _call: &ToolCall) -> Access {
        Access::unnamed(Effect::Other)
    }

    /// Finds out, without an effect, that the call cannot succeed, so that the user is not asked to approve it. The default
    /// finds nothing.
    ///
    /// # Errors
    /// The output of the call.
    async fn check(&self, _call: &ToolCall, _context: &ToolContext) -> Result<(), ToolOutput> {
        Ok(())
    }

    /// Runs the call.
    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput;
}

const _: Option<&dyn Tool> = None;
