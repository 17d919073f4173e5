//! Tools: what a model can call, how calls run side by side, and the tools that every workspace needs.
//!
//! [`Tool`] is the port. A tool never fails its caller: what goes wrong is an output marked as an error, whose
//! text tells the model what to do next. [`ToolRegistry`] holds the tools of a session in a stable order,
//! [`run_calls`] runs the calls of one message, and [`RunningCalls`] gives their outputs as they come;
//! [`RepetitionGuard`] notices a model that makes the same call again and again, and [`BuiltinTools`] gives the tools
//! that read, write and search files and run commands. [`CommandRunner`] is what the shell is made of, also for commands
//! that are not a model's; a [`Sandbox`] limits where they write.
//!
//! Neighbours: the words [`ToolDefinition`], [`ToolCall`] and [`Image`] come from `conversation`; `agent` runs
//! the calls of each step; `mcp` brings more tools through the same port.
//!
//! It does not know: which tools a turn shows to the model (`deferral`), what becomes of a large output
//! (`resultstore`), and what a session or a request is.
//!
//! [`ToolDefinition`]: throughline_conversation::ToolDefinition
//! [`ToolCall`]: throughline_conversation::ToolCall
//! [`Image`]: throughline_conversation::Image

mod access;
mod arguments;
mod builtin;
mod cancel;
mod checklist;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod file_guard;
mod file_ledger;
mod file_scope;
mod output;
mod output_sink;
mod picture;
mod process_group;
mod registry;
mod regular_file;
mod repetition;
mod run;
mod sandbox;
mod tool;

pub use access::{Access, Effect};
pub use arguments::arguments;
pub use builtin::{
    BuiltinTools, CommandEnding, CommandRunner, EditFileTool, GrepTool, Jobs, ListFilesTool, MultiEditTool,
    ReadFileTool, ShellOutputTool, ShellStopTool, ShellTool, UpdateChecklistTool, WriteFileTool,
    builtin_tools,
};
pub use cancel::CancelFlag;
pub use checklist::{CHECKLIST_TOOL, Checklist, ChecklistError, ChecklistStep, StepStatus};
pub use file_guard::FileGuard;
#[cfg(any(test, feature = "mock"))]
pub use file_guard::MockFileGuard;
pub use file_ledger::FileLedger;
pub use file_scope::FileScope;
pub use output::ToolOutput;
#[cfg(any(test, feature = "mock"))]
pub use output_sink::MockOutputSink;
pub use output_sink::OutputSink;
pub use picture::{PICTURE_BYTES, PICTURE_SIDE, PictureKind, picture_in_base64};
pub use process_group::ProcessGroup;
pub use registry::{RegistryError, ToolRegistry};
pub use regular_file::{OpenError, open_regular};
pub use repetition::{IDENTICAL_CALLS, RepetitionGuard, Verdict};
pub use run::{CANCELLED, PARALLEL_CALLS, RunningCalls, run_calls};
pub use sandbox::{Launcher, Sandbox, SandboxError, SandboxStatus, restrict_self, sandbox_exec};
#[cfg(any(test, feature = "mock"))]
pub use tool::MockTool;
pub use tool::{Tool, ToolContext};
