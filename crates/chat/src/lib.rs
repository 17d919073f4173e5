//! The interactive session: a screen and a session, connected by two channels.
//!
//! [`run`] opens the session that [`ChatOptions`] name, and a screen on it, and returns when the user leaves. What the user
//! does arrives as acts of `tui`, one after the other, at the driver, which owns the agent. Lines that begin with `/` are
//! commands, whose words and answers are those of `commands`.
//!
//! It does not parse a command line, and does not know how a request is built.

mod agents;
mod approver;
mod background;
mod clipboard;
mod commands;
mod compacting;
mod driver;
mod effort;
mod effort_levels;
mod eliciting;
mod ending;
mod error;
mod excerpt;
mod failure;
mod files;
mod jobs;
mod live;
mod mcp;
mod message;
mod models;
mod observed_tools;
mod options;
mod output_styles;
mod outputs;
mod pages;
mod pending_login;
mod permissions;
mod picking;
mod planning;
mod plugins;
mod restored;
mod rewinding;
mod run;
mod screen;
mod session_list;
mod setup;
mod shown_result;
mod signals;
mod status;
mod status_command;
mod status_model;
mod stopping;
mod transcript;
mod trust_question;
mod turn;
mod undoing;
mod user_command;
mod waiting;

pub use error::ChatError;
pub use options::ChatOptions;
pub use run::run;
