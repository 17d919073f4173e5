//! The client as a session uses it, against servers that behave and servers that do not.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may fail the test")]

#[path = "servers/asking.rs"]
mod asking;
#[path = "servers/eliciting.rs"]
mod eliciting;
#[path = "servers/fake.rs"]
mod fake;
#[path = "servers/hostile.rs"]
mod hostile;
#[path = "servers/lives.rs"]
mod lives;
#[path = "servers/logs.rs"]
mod logs;
#[path = "servers/network.rs"]
mod network;
#[path = "servers/programs.rs"]
mod programs;
#[path = "servers/skills.rs"]
mod skills;
#[path = "servers/tasks.rs"]
mod tasks;
