//! The tool `shell`, with a report of the files that its commands change.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{ToolCall, ToolDefinition};

use super::shell::ShellTool;
use crate::access::Access;
use crate::changed_file::ChangedFiles;
use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::tool::{Tool, ToolContext};
use crate::workspace_copy::WorkspaceCopy;

/// `shell`, which compares the workspace before and after each command.
#[derive(Debug)]
pub(super) struct WatchedShell {
    shell: ShellTool,
    scope: FileScope,
    copy: Arc<Mutex<WorkspaceCopy>>,
}

impl WatchedShell {
    pub(super) fn new(shell: ShellTool, scope: &FileScope) -> Self {
        Self { shell, scope: scope.clone(), copy: Arc::default() }
    }

    /// Updates the copy of the workspace, and returns what changed since.
    async fn changes(&self, context: &ToolContext) -> Result<ChangedFiles, String> {
        let (scope, copy) = (self.scope.clone(), Arc::clone(&self.copy));
        let workspace = context.workspace.clone();
        let update = move || {
            let failed =
                |error| format!("files that commands changed: the workspace cannot be opened: {error}");
            let root = scope.open_root(&workspace).map_err(failed)?;
            copy.lock().unwrap_or_else(PoisonError::into_inner).update(&root)
        };
        tokio::task::spawn_blocking(update).await.unwrap_or_else(|error| Err(error.to_string()))
    }
}

#[async_trait]
impl Tool for WatchedShell {
    fn definition(&self) -> ToolDefinition {
        self.shell.definition()
    }

    fn access(&self, call: &ToolCall) -> Access {
        self.shell.access(call)
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let before = self.changes(context).await;
        let (mut output, still_runs) = self.shell.run(call, context).await;
        let changes = match before {
            Ok(_) => self.changes(context).await,
            Err(why) => Err(why),
        };
        let mut changes =
            changes.unwrap_or_else(|why| ChangedFiles { unreported: vec![why], ..ChangedFiles::default() });
        if still_runs {
            changes.unreported.push("files that a background command changed after its start".to_owned());
        }
        output.changes = changes;
        output
    }
}
