//! The tool `shell`, with a report of the files that its commands change.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{ToolCall, ToolDefinition};

use super::git_head::head_of;
use super::shell::ShellTool;
use crate::access::Access;
use crate::changed_file::ChangedFiles;
use crate::file_scope::FileScope;
use crate::made_changes::MadeChanges;
use crate::output::ToolOutput;
use crate::tool::{Tool, ToolContext};
use crate::workspace_copy::WorkspaceCopy;

/// `shell`, which compares the files of the project before and after each command.
#[derive(Debug)]
pub(super) struct WatchedShell {
    shell: ShellTool,
    scope: FileScope,
    watched: Arc<Mutex<WatchedFolder>>,
}

/// The folder that is compared.
#[derive(Debug)]
struct WatchedFolder {
    project: PathBuf,
    /// Where the HEAD of its repository was before the command.
    head: Option<String>,
    copy: WorkspaceCopy,
    /// The project is too large: only the workspace is compared.
    is_narrow: bool,
}

impl WatchedFolder {
    /// Reads the folder before a command.
    ///
    /// # Errors
    /// The reason why it is not compared.
    fn begin(&mut self, scope: &FileScope, workspace: &Path) -> Result<(), String> {
        self.is_narrow |= !workspace.starts_with(&self.project);
        self.head = head_of(&self.project);
        match self.update(scope, workspace) {
            Err(_) if !self.is_narrow && self.project != workspace => {
                (self.is_narrow, self.copy) = (true, WorkspaceCopy::default());
                self.update(scope, workspace).map(drop)
            }
            read => read.map(drop),
        }
    }

    /// What the command changed.
    fn end(&mut self, scope: &FileScope, workspace: &Path) -> Result<ChangedFiles, String> {
        let mut changes = self.update(scope, workspace)?;
        let now = head_of(&self.project);
        if let (Some(before), Some(now)) = (&self.head, &now)
            && before != now
        {
            changes.unreported.push(format!(
                "commits and branches: HEAD moved from {before} to {now}, which git alone can change back"
            ));
        }
        Ok(changes)
    }

    /// What changed since the last reading.
    fn update(&mut self, scope: &FileScope, workspace: &Path) -> Result<ChangedFiles, String> {
        let failed = |error| format!("files that commands changed: the workspace cannot be opened: {error}");
        let folder = if self.is_narrow { workspace } else { &self.project };
        let root = scope.open_root(folder).map_err(failed)?;
        let mut changes = self.copy.update(&root)?;
        if self.is_narrow && self.project != workspace {
            changes
                .unreported
                .push(format!("files that commands changed outside of {}", workspace.display()));
        }
        Ok(changes)
    }
}

impl WatchedShell {
    pub(super) fn new(shell: ShellTool, scope: &FileScope, project: &Path) -> Self {
        let project = project.canonicalize().unwrap_or_else(|_| project.to_owned());
        let watched = WatchedFolder { project, head: None, copy: WorkspaceCopy::default(), is_narrow: false };
        Self { shell, scope: scope.clone(), watched: Arc::new(Mutex::new(watched)) }
    }

    /// Works with the folder on a thread for blocking work.
    async fn watched<T: Send + 'static>(
        &self,
        context: &ToolContext,
        work: impl FnOnce(&mut WatchedFolder, &FileScope, &Path) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let (scope, watched) = (self.scope.clone(), Arc::clone(&self.watched));
        let workspace = context.workspace.canonicalize().unwrap_or_else(|_| context.workspace.clone());
        let work = move || {
            let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut watched, &scope, &workspace)
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(error.to_string()))
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
        let made = MadeChanges::begin();
        let before = self.watched(context, WatchedFolder::begin).await;
        let (mut output, still_runs) = self.shell.run(call, context).await;
        let changes = match before {
            Ok(()) => self.watched(context, WatchedFolder::end).await,
            Err(why) => Err(why),
        };
        let mut changes =
            changes.unwrap_or_else(|why| ChangedFiles { unreported: vec![why], ..ChangedFiles::default() });
        // What a file tool changed meanwhile, of this session or of a sub-agent, belongs to its own call.
        changes.files.retain(|file| !made.has(file));
        if still_runs {
            changes.unreported.push("files that a background command changed after its start".to_owned());
        }
        output.changes = changes;
        output
    }
}
