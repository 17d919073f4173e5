//! Tools that show their output and their results on the screen.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_permission::{Decision, Permissions};
use throughline_tools::{RegistryError, Tool, ToolContext, ToolLayer, ToolOutput, ToolRegistry, layered};
use throughline_tui::{ResultExcerpt, Show};

use super::excerpt::excerpt;
use super::screen::Screen;
use super::shown_result::shown_result;

/// The same tools in the same order, observed.
pub(super) fn observed_tools(
    registry: &ToolRegistry,
    screen: &Screen,
    workspace: &Path,
    permissions: &Arc<Permissions>,
) -> Result<ToolRegistry, RegistryError> {
    let (screen, workspace) = (screen.clone(), workspace.to_owned());
    layered(registry, Observed { screen, workspace, permissions: Arc::clone(permissions) })
}

#[derive(Debug)]
struct Observed {
    screen: Screen,
    /// Where relative paths of calls begin.
    workspace: PathBuf,
    permissions: Arc<Permissions>,
}

#[async_trait]
impl ToolLayer for Observed {
    async fn call(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        // It stands outside of the permissions, which decide again.
        if matches!(self.permissions.decide(call, &tool.access(call)), Decision::Ask { .. }) {
            self.screen.show(Show::Waiting { call_id: call.id.clone() });
        }
        if let Some(excerpt) = excerpt(&self.workspace, &call.name, &call.input).await {
            self.screen.show(Show::Change { call_id: call.id.clone(), excerpt: Box::new(excerpt) });
        }
        let context = ToolContext { output: Some(Arc::new(self.screen.clone())), ..context.clone() };
        let output = tool.call(call, &context).await;
        let text = String::from_utf8_lossy(&output.bytes);
        let result = ResultExcerpt::of(&shown_result(&call.name, &text, output.is_error));
        if !output.changes.files.is_empty() {
            let paths = output.changes.files.iter().map(|file| file.path.clone());
            self.screen.show(Show::ChangedFiles(paths.collect()));
        }
        self.screen.show(Show::ToolResult { call_id: call.id.clone(), result });
        output
    }
}
