//! Commands on a session, whether an agent has it open or not, and their answers.
//!
//! A [`SessionCommand`] is what can be done with a stored session; [`execute`] runs it on a [`CommandTarget`] and returns an
//! [`Answer`]: text for a person and JSON for a program. What the next step is called depends on where a command was
//! written: `throughline undo ID` on a command line, `/undo` on a screen.
//!
//! ```
//! use throughline_commands::slash::{self, Slash};
//!
//! assert!(slash::is_command("/undo"));
//! assert!(!slash::is_command("/etc/hosts is empty"));
//! assert!(matches!(slash::parse("/compact keep the paths"), Ok(Slash::Compact { .. })));
//! let error = slash::parse("/udno").unwrap_err().to_string();
//! assert!(error.starts_with("there is no command /udno; did you mean /undo?"), "{error}");
//! ```
//!
//! The arguments of a command are one value for both places. This crate opens no session, asks no model, and knows no screen;
//! `cli` and `chat` do.

mod age;
mod answer;
mod checkpoints;
pub mod compaction;
mod context;
mod diff;
mod documents;
mod execute;
pub mod export;
mod groups;
mod handoff;
pub mod mcp;
pub mod memos;
mod messages;
mod numbers;
mod offered;
mod pins;
pub mod plugins;
mod prompts;
mod refusal;
mod session_cells;
mod session_choice;
mod session_command;
pub mod settings;
pub mod slash;
mod summaries;
mod target;
mod usage;

pub use age::age;
pub use answer::Answer;
pub use checkpoints::args::CheckpointsArgs;
pub use context::args::ContextArgs;
pub use context::by_agent;
pub use diff::DiffArgs;
pub use documents::args::{ScratchpadArgs, StateArgs};
pub use execute::{execute, undo_deletes};
pub use groups::args::{RedoArgs, UndoArgs};
pub use groups::{FileQuestion, file_diff_since, file_question, undo_since};
pub use handoff::HandoffArgs;
pub use messages::args::MessagesArgs;
pub use numbers::parse_sessions;
pub use offered::with_said_limits;
pub use pins::args::{PinArgs, PinsArgs, UnpinArgs};
pub use prompts::{PromptCommand, PromptCommands};
pub use refusal::{busy, refusal, refusal_of_run};
pub use session_cells::{cost_cell, folder_cell};
pub use session_choice::{NOTHING_TO_FORK, SessionChoice, Which, choose, foreign_session};
pub use session_command::{DocumentAction, FileChoice, SessionCommand};
pub use summaries::SummariesArgs;
pub use target::CommandTarget;
pub use usage::UsageError;
