//! How a Git working tree stands, asked of the program `git`.
//!
//! [`GitCli`] implements the port [`GitProbe`](throughline_continuity::GitProbe) of `continuity`, which puts the branch, the
//! commit and the changed files into handoffs. It runs one `git status` in the form that is made for programs, takes no
//! locks, and hands on nothing of the environment but what `git` needs to start.
//!
//! It does NOT know: what a handoff is, when one is made, and how to change a repository.

mod cli;
mod environment;
mod status;

pub use cli::GitCli;
