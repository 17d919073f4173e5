//! The files that a call changed, followed over the hooks that run after it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throughline_tools::{
    ChangedAgain, ChangedFile, FileHistory, FileScope, NotedChanges, ToolContext, ToolOutput,
};

/// Follows the changes of one call. What a hook makes of them, as a formatter does, belongs to the call: it is undone with it, and the
/// model sees it.
pub(super) struct FollowedChanges {
    scope: FileScope,
    workspace: PathBuf,
    noted: Option<Arc<NotedChanges>>,
}

impl FollowedChanges {
    pub(super) fn new(scope: &FileScope, context: &ToolContext) -> Self {
        let noted = context.history.as_ref().map(|history| Arc::new(NotedChanges::new(Arc::clone(history))));
        Self { scope: scope.clone(), workspace: context.workspace.clone(), noted }
    }

    /// The context in which the call runs.
    pub(super) fn context(&self, context: &ToolContext) -> ToolContext {
        let noted = self.noted.clone().map(|noted| noted as Arc<dyn FileHistory>);
        ToolContext { history: noted, ..context.clone() }
    }

    /// Adds to the output what the files became since. Returns what the model should know.
    pub(super) async fn follow(self, output: &mut ToolOutput) -> Vec<String> {
        let Self { scope, workspace, noted } = self;
        let mut changes: Vec<ChangedFile> = noted.map(|noted| noted.take()).unwrap_or_default();
        let own = changes.iter().map(|change| change.path.clone()).collect::<Vec<_>>();
        for reported in &output.changes.files {
            changes.retain(|change| change.path != reported.path);
            changes.push(reported.clone());
        }
        if changes.is_empty() {
            return Vec::new();
        }
        let again = tokio::task::spawn_blocking(move || scope.changed_again(&changes)).await;
        let again = again.unwrap_or_default();
        let texts =
            again.iter().filter_map(|one| said(one, own.contains(&one.file.path), &workspace)).collect();
        for ChangedAgain { file, .. } in again {
            output.changes.files.retain(|change| change.path != file.path);
            output.changes.files.push(file);
        }
        texts
    }
}

/// `is_own`: a file tool changed it, so that the model may change it once more.
fn said(again: &ChangedAgain, is_own: bool, workspace: &Path) -> Option<String> {
    let path = &again.file.path;
    let path = path.strip_prefix(workspace).unwrap_or(path).display();
    match &again.diff {
        Some(diff) => Some(format!("A hook changed {path} after this call:\n{}", diff.trim_end())),
        None if is_own => {
            Some(format!("A hook changed {path} after this call; read it before you change it again."))
        }
        None => None,
    }
}
