//! What the user has done at the events of a session, by the contract of Claude Code: commands, judges and requests.
//!
//! [`HookFile`] reads the hooks of a file, [`Hooks`] matches an [`Occasion`] with them, runs all that match side by side
//! through the port [`HookRunner`], and combines what they answer into one [`HookAnswer`]. Those that are not waited for are
//! [`AsyncRun`]s for the caller. Tools and their arguments have the
//! names that scripts know ([`foreign_call`]).
//!
//! Neighbours: `session` says where hooks act, runs them in the sandbox and reads their files; `config` asks the user whether a
//! project's hooks may run.
//!
//! It does not start processes, ask a model or send anything, know the loop of the agent, or decide about permissions.

mod answer;
mod event;
mod file;
mod foreign;
mod hook;
mod hooks;
mod matcher;
mod occasion;
mod reading;
mod runner;
mod variable;

pub use answer::{HookAnswer, HookPermission};
pub use event::HookEvent;
pub use file::{HookFile, HookFileError};
pub use foreign::{foreign_call, own_input, own_name};
pub use hook::{Hook, HookAction, HookOrigin, HttpTarget, judge_message};
pub use hooks::{AsyncRun, HookAgent, HookSession, Hooks};
pub use occasion::Occasion;
pub use runner::{HookEnding, HookRun, HookRunner};
