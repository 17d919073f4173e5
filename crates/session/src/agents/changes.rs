//! Files that a sub-agent changes are changes of the call that started it, so that undoing the call's turn restores them.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_tools::{
    ChangedFile, ChangedFiles, FileHistory, Tool, ToolContext, ToolLayer, ToolOutput, TurnEnded,
};

/// Collects the changes of a sub-agent's calls. The default is for one in the background, whose changes are in its own log alone.
#[derive(Debug, Clone, Default)]
pub(super) struct AgentChanges {
    /// Of the call that started the sub-agent.
    history: Option<Arc<dyn FileHistory>>,
    reported: Arc<Mutex<ChangedFiles>>,
}

impl AgentChanges {
    pub(super) fn of(context: &ToolContext) -> Self {
        Self { history: context.history.clone(), reported: Arc::default() }
    }

    /// Takes what calls reported after they had made changes, and the history has not.
    pub(super) fn take(&self) -> ChangedFiles {
        std::mem::take(&mut *self.reported.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Gives the history what a call reports, at once: it is there if the program is killed while the sub-agent works.
    async fn add(&self, changes: &ChangedFiles) {
        let files = match &self.history {
            Some(history) => rest(Arc::clone(history), changes.files.clone()).await,
            None => changes.files.clone(),
        };
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        reported.files.extend(files);
        reported.unreported.extend(changes.unreported.iter().cloned());
    }
}

/// Records changes. Returns those that the history does not take any more.
async fn rest(history: Arc<dyn FileHistory>, files: Vec<ChangedFile>) -> Vec<ChangedFile> {
    if files.is_empty() {
        return files;
    }
    let record = move || files.into_iter().filter(|file| history.before_change(file).is_err()).collect();
    tokio::task::spawn_blocking(record).await.unwrap_or_default()
}

#[async_trait]
impl ToolLayer for AgentChanges {
    async fn call(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let both = match (&context.history, &self.history) {
            (Some(own), Some(parent)) => {
                let both = BothHistories { own: Arc::clone(own), parent: Arc::clone(parent) };
                Some(Arc::new(both) as Arc<dyn FileHistory>)
            }
            (own, _) => own.clone(),
        };
        let output = tool.call(call, &ToolContext { history: both, ..context.clone() }).await;
        self.add(&output.changes).await;
        output
    }
}

/// The history of the sub-agent and of the session that it works for.
#[derive(Debug)]
struct BothHistories {
    own: Arc<dyn FileHistory>,
    parent: Arc<dyn FileHistory>,
}

impl FileHistory for BothHistories {
    fn before_change(&self, change: &ChangedFile) -> Result<(), TurnEnded> {
        self.parent.before_change(change)?;
        self.own.before_change(change)
    }
}
