//! The interactive session as its user meets it: the real binary in a real terminal (tmux), a scripted model behind the
//! providers' own protocol, a real project with real tests.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the place and what ran in it are shared with the suite `binary`")]

#[path = "terminal/attached.rs"]
mod attached;
#[path = "binary/browser.rs"]
mod browser;
#[path = "terminal/commands.rs"]
mod commands;
#[path = "terminal/compaction.rs"]
mod compaction;
#[path = "terminal/endings.rs"]
mod endings;
#[path = "terminal/first_run.rs"]
mod first_run;
#[path = "terminal/forms.rs"]
mod forms;
#[path = "terminal/hostile.rs"]
mod hostile;
#[path = "terminal/init.rs"]
mod init;
#[path = "terminal/mcp_login.rs"]
mod mcp_login;
#[path = "terminal/notices.rs"]
mod notices;
#[path = "terminal/output.rs"]
mod output;
#[path = "binary/place.rs"]
mod place;
#[path = "terminal/plugins.rs"]
mod plugins;
#[path = "terminal/project.rs"]
mod project;
#[path = "binary/ran.rs"]
mod ran;
#[path = "terminal/screens.rs"]
mod screens;
#[path = "terminal/sessions.rs"]
mod sessions;
#[path = "terminal/status_line.rs"]
mod status_line;
#[path = "terminal/task.rs"]
mod task;
#[path = "terminal/tmux.rs"]
mod tmux;
#[path = "terminal/unstarted.rs"]
mod unstarted;
#[path = "terminal/web_search.rs"]
mod web_search;
#[path = "terminal/working.rs"]
mod working;
