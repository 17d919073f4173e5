//! How a Git working tree stands, asked of the program `git`.
//!
//! [`GitCli`] implements the port [`GitProbe`](throughline_documents::GitProbe) of `continuity`, which puts the branch, the
//! commit and the changed files into handoffs. It runs `git status` in the form that is made for programs, takes no
//! locks, and hands on nothing of the environment but what `git` needs to start.
//!
//! A repository is written by others, also by commands of a model that run in a sandbox, and this `git` runs in none. So no
//! program is started that its settings name: no watcher, hook, filter or transport. What that costs: a file that is kept
//! through a filter is compared as it stands, changes within a submodule are told only once they are committed there, and
//! what a partial clone has not fetched is missing.
//!
//! It does NOT know: what a handoff is, when one is made, and how to change a repository.

mod cli;
mod environment;
mod filters;
mod status;

pub use cli::GitCli;
