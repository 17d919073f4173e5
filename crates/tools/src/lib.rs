//! Tools: what a model can call, how calls run side by side, and the tools that every workspace needs.
//!
//! [`Tool`] is the port. A tool never fails its caller: what goes wrong is an output marked as an error, whose
//! text tells the model what to do next. [`ToolRegistry`] holds the tools of a session in a stable order,
//! [`run_calls`] runs the calls of one message, [`RepetitionGuard`] notices a model that makes the same call again and
//! again, and [`builtin_tools`] gives the tools that read, write and search files and run commands. [`run_command`]
//! is what the shell is made of, for commands that are not a model's.
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
mod closeness;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod output;
mod registry;
mod repetition;
mod run;
mod tool;

pub use access::{Access, Effect};
pub use arguments::arguments;
pub use builtin::{
    CommandEnding, EditFileTool, GrepTool, ListFilesTool, ReadFileTool, ShellTool, WriteFileTool,
    builtin_tools, builtin_tools_hiding, run_command,
};
pub use cancel::CancelFlag;
pub use output::ToolOutput;
pub use registry::{RegistryError, ToolRegistry};
pub use repetition::{IDENTICAL_CALLS, RepetitionGuard, Verdict};
pub use run::{CANCELLED, PARALLEL_CALLS, run_calls};
#[cfg(any(test, feature = "mock"))]
pub use tool::MockTool;
pub use tool::{Tool, ToolContext};
