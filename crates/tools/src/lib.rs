//! Tools: what a model can call, how calls run concurrently, and the built-in tools of a workspace.
//!
//! [`Tool`] is the port. A tool never fails its caller: an error is an output that is marked as one, whose text tells the
//! model what to do next. [`ToolRegistry`] holds the tools of a session in a stable order, [`RunningCalls`] runs the calls
//! of one message, and [`RepetitionGuard`] refuses a call that a model repeats again and again. [`BuiltinTools`] are the
//! tools that read, write and search files and run commands. [`CommandRunner`] runs the commands of the shell tool, and
//! those of other callers; a [`Sandbox`] limits where they may write.
//!
//! ```
//! use async_trait::async_trait;
//! use std::sync::Arc;
//! use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
//! use throughline_tools::{RunningCalls, Tool, ToolContext, ToolOutput, ToolRegistry};
//!
//! #[derive(Debug)]
//! struct Dice;
//!
//! #[async_trait]
//! impl Tool for Dice {
//!     fn definition(&self) -> ToolDefinition {
//!         ToolDefinition {
//!             name: "roll".to_owned(),
//!             description: "Rolls a die.".to_owned(),
//!             input_schema: serde_json::json!({ "type": "object" }),
//!             origin: ToolOrigin::Builtin,
//!         }
//!     }
//!
//!     async fn call(&self, _call: &ToolCall, _context: &ToolContext) -> ToolOutput {
//!         ToolOutput::text("4")
//!     }
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let mut registry = ToolRegistry::new();
//! registry.register(Arc::new(Dice))?;
//! let calls = [ToolCall { id: "c1".to_owned(), name: "roll".to_owned(), input: serde_json::json!({}) }];
//! let context = ToolContext::new("/tmp");
//! let mut running = RunningCalls::start(&registry, &calls, &context, 4);
//! while let Some((index, output)) = running.next().await {
//!     assert_eq!((index, output.to_text().as_str()), (0, "4"));
//! }
//! # Ok::<(), throughline_tools::RegistryError>(())
//! # }).unwrap();
//! ```
//!
//! Neighbours: `conversation` defines [`ToolDefinition`], [`ToolCall`] and [`Image`]; `agent` runs the calls of each step;
//! `mcp` provides the tools of other servers through the same port.
//!
//! It does not know which tools a turn shows to the model (`deferral`), how a large output is stored (`resultstore`), or
//! what a session or a request is.
//!
//! [`ToolDefinition`]: throughline_conversation::ToolDefinition
//! [`ToolCall`]: throughline_conversation::ToolCall
//! [`Image`]: throughline_conversation::Image

mod access;
mod advice;
mod arguments;
#[cfg(feature = "builtin")]
mod builtin;
mod cancel;
#[cfg(feature = "builtin")]
mod changed_again;
mod changed_file;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod elicitor;
#[cfg(feature = "builtin")]
mod environment;
#[cfg(feature = "builtin")]
mod exact_file;
mod file_guard;
mod file_history;
#[cfg(feature = "builtin")]
mod file_ledger;
#[cfg(feature = "builtin")]
mod file_scope;
mod file_texts;
mod form;
mod layer;
#[cfg(feature = "builtin")]
#[cfg_attr(not(feature = "sandbox"), allow(dead_code, reason = "some parts are for the sandbox alone"))]
mod lifeline;
#[cfg(feature = "builtin")]
mod made_changes;
mod output;
#[cfg(feature = "builtin")]
mod output_files;
mod output_sink;
mod picture;
mod portable_schema;
mod portable_tool;
#[cfg(feature = "builtin")]
mod process_group;
mod provider_search;
mod read_grants;
mod registry;
#[cfg(feature = "targets")]
mod regular_file;
#[cfg(feature = "builtin")]
mod remove_tree;
mod repetition;
#[cfg(feature = "builtin")]
mod root_folder;
mod run;
#[cfg_attr(not(feature = "sandbox"), allow(dead_code, reason = "some parts are for the sandbox alone"))]
mod runs_later;
#[cfg(feature = "builtin")]
#[cfg_attr(not(feature = "sandbox"), allow(dead_code, reason = "some parts are for the sandbox alone"))]
mod sandbox;
#[cfg(feature = "targets")]
mod target;
mod target_error;
#[cfg(feature = "builtin")]
mod temp_folder;
mod tool;
#[cfg(feature = "builtin")]
mod workspace_copy;

pub use access::{Access, Effect};
pub use advice::{NO_OTHER_WAY, without_advice, wrong_arguments};
pub use arguments::{arguments, fit_arguments, malformed};
#[cfg(feature = "builtin")]
pub use builtin::{
    BuiltinTools, CommandEnding, CommandRunner, JobInfo, Jobs, PipedOutput, builtin_tools, says_that_it_runs,
    started_job,
};
pub use cancel::CancelFlag;
#[cfg(feature = "builtin")]
pub use changed_again::{ChangedAgain, NotedChanges};
pub use changed_file::{ChangedFile, ChangedFiles, FileContent};
pub use elicitor::{Elicitation, ElicitationAnswer, ElicitationRequest, Elicitor};
#[cfg(feature = "builtin")]
pub use environment::{Environment, is_secret_name};
#[cfg(feature = "builtin")]
pub use exact_file::ExactFile;
pub use file_guard::FileGuard;
#[cfg(any(test, feature = "mock"))]
pub use file_guard::MockFileGuard;
pub use file_history::{FileHistory, TurnEnded};
#[cfg(feature = "builtin")]
pub use file_ledger::unified_diff;
#[cfg(feature = "builtin")]
pub use file_scope::FileScope;
pub use file_texts::FileTexts;
pub use form::{FieldKind, Form, FormChoice, FormField};
pub use layer::{ToolLayer, layered};
#[cfg(feature = "builtin")]
pub use lifeline::Lifeline;
pub use output::ToolOutput;
#[cfg(any(test, feature = "mock"))]
pub use output_sink::MockOutputSink;
pub use output_sink::OutputSink;
pub use picture::{
    CheckedPicture, PICTURES_OF_RESULT, PictureKind, base64_bytes, check_picture, picture_in_base64,
    picture_note, stored_picture, text_in_base64,
};
pub use portable_schema::{ArgumentNames, PortableSchema};
#[cfg(feature = "builtin")]
pub use process_group::ProcessGroup;
pub use provider_search::ProviderSearch;
pub use read_grants::ReadGrants;
pub use registry::{RegistryError, ToolRegistry};
#[cfg(feature = "targets")]
pub use regular_file::{OpenError, open_regular};
pub use repetition::{RepetitionGuard, Verdict};
pub use run::{CANCELLED, RunningCalls};
pub use runs_later::{names_what_runs_later, runs_later};
#[cfg(feature = "builtin")]
pub use sandbox::{Launcher, Sandbox, SandboxError, SandboxStatus, resolve_links, sandbox_exec};
#[cfg(feature = "targets")]
pub use target::resolve_target;
pub use target_error::TargetError;
#[cfg(feature = "builtin")]
pub use temp_folder::TempFolder;
#[cfg(any(test, feature = "mock"))]
pub use tool::MockTool;
pub use tool::{Tool, ToolContext};
