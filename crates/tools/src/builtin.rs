//! The tools that every workspace needs: files, search and commands.

mod change;
mod confine;
mod edit_file;
mod grep;
mod line_ends;
mod list_files;
mod multi_edit;
mod near_miss;
mod read_file;
mod regular;
mod replace_file;
mod replacement;
mod set;
mod shell;
mod update_checklist;
mod walk;
mod write_file;

use serde_json::Value;
use throughline_conversation::{ToolDefinition, ToolOrigin};

pub use edit_file::EditFileTool;
pub use grep::GrepTool;
pub use list_files::ListFilesTool;
pub use multi_edit::MultiEditTool;
pub use read_file::ReadFileTool;
pub use set::{BuiltinTools, builtin_tools};
pub(crate) use shell::Spool;
pub use shell::{CommandEnding, CommandRunner, Jobs, ShellOutputTool, ShellStopTool, ShellTool};
pub use update_checklist::UpdateChecklistTool;
pub use write_file::WriteFileTool;

use crate::{ToolContext, ToolOutput};

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
