//! The tools that every workspace needs: files, search and commands.

mod confine;
mod edit_file;
mod grep;
mod list_files;
mod near_miss;
mod read_file;
mod replace_file;
mod shell;
mod walk;
mod write_file;

use std::sync::Arc;

use serde_json::Value;
use throughline_conversation::{ToolDefinition, ToolOrigin};

pub use edit_file::EditFileTool;
pub use grep::GrepTool;
pub use list_files::ListFilesTool;
pub use read_file::ReadFileTool;
pub use shell::{CommandEnding, ShellTool, run_command};
pub use write_file::WriteFileTool;

use crate::{Tool, ToolContext, ToolOutput};

/// All built-in tools, in a stable order.
#[must_use]
pub fn builtin_tools() -> Vec<Arc<dyn Tool>> {
    builtin_tools_hiding(&[])
}

/// The same, with a shell whose commands do not get these environment variables.
#[must_use]
pub fn builtin_tools_hiding(variables: &[&str]) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(ReadFileTool),
        Arc::new(WriteFileTool),
        Arc::new(EditFileTool),
        Arc::new(GrepTool),
        Arc::new(ListFilesTool),
        Arc::new(ShellTool::hiding(variables.iter().copied())),
    ]
}

fn definition(name: &str, description: &str, input_schema: Value) -> ToolDefinition {
    let description = description.trim_end().to_owned();
    ToolDefinition { name: name.to_owned(), description, input_schema, origin: ToolOrigin::Builtin }
}

/// Runs file work where it may block. The work sees the context's flag and should stop when it is raised.
async fn blocking(
    context: &ToolContext,
    work: impl FnOnce(ToolContext) -> Result<ToolOutput, ToolOutput> + Send + 'static,
) -> ToolOutput {
    let context = context.clone();
    match tokio::task::spawn_blocking(move || work(context)).await {
        Ok(Ok(output) | Err(output)) => output,
        // The panic goes on, so that it is reported as the tool's own fault.
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(error) => ToolOutput::error(format!("The work was stopped: {error}.")),
        },
    }
}

#[cfg(test)]
mod tests;
