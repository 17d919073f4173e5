//! One way to open a session, for every program and for embedders.
//!
//! [`SessionOptions`] says what a session is opened with, [`open`] opens it and takes its lock, and [`Session`] works: a turn, a
//! change of model, a result. Who it works for is the port [`User`]: a person at a screen, an editor, a client over HTTP. The
//! objects that programs read of a run, [`event_object`] and [`RunResult::object`], are made here alone.

mod agent_kinds;
mod agent_role;
mod agents;
mod answer_sink;
mod attaching;
mod call_layers;
mod continuity;
mod ending;
mod enter;
mod event_object;
mod file_history;
mod hooks;
mod instructions;
mod limit_listener;
mod models;
mod open;
mod opening_prompt;
mod options;
mod permissions;
mod plan_mode;
mod result;
mod rule_notes;
mod server_tools;
#[cfg(feature = "mcp")]
mod servers;
#[cfg(not(feature = "mcp"))]
#[path = "no_servers.rs"]
mod servers;
mod session;
mod switching;
mod tally;
mod task_run;
mod task_tree;
mod tools;
mod user;

pub use agent_role::AgentRole;
pub use agents::background::BackgroundAgents;
pub use agents::background_agent::BackgroundAgentInfo;
pub use agents::shown::shown_agent_result;
pub use agents::sub_agent::SubAgent;
pub use answer_sink::AnswerSink;
pub use attaching::FileAttacher;
pub use ending::{RunEnding, answer_text};
pub use event_object::event_object;
pub use instructions::Instructions;
pub use models::{RunOptions, RunSources, SessionModels};
pub use open::open;
pub use options::{SessionOptions, SystemPrompt};
pub use permissions::{Attendance, RuleFile, permissions};
pub use plan_mode::has_plan;
pub use result::{RunResult, UnstartedRun};
pub use servers::Servers;
#[cfg(feature = "mcp")]
pub use servers::{LoginState, Restart, ServerLoginError, ServerLogins};
pub use session::{Reply, Session};
pub use tally::RunTally;
pub use task_run::{TaskGates, TaskObserver, TaskOutcome, TaskRun, read_task, unfinished_task};
pub use task_tree::{LeftTree, TaskTree, TreeChoice};
pub use throughline_agent::Listeners;
pub use throughline_task::TaskFile;
pub use tools::{SANDBOX_MODE, ToolSet, check_unattended, command_of_settings, sandbox_notes, this_program};
pub use user::{NoUser, User};
