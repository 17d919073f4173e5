//! The state of a Git working tree, read by running `git`.
//!
//! [`GitCli`] implements the port [`GitProbe`](throughline_documents::GitProbe) of `continuity`, which puts the branch, the
//! commit and the changed files into handoffs. It runs `git status` in the form that is made for programs, takes no
//! locks, and passes on only the environment variables that `git` needs to start.
//!
//! A repository's contents are untrusted: a model's sandboxed commands may have written them, and this `git` runs outside
//! the sandbox. So it starts no program that the repository's settings name: no watcher, hook, filter or transport. Those that
//! are named are turned off, and on Linux the kernel refuses git all other programs, whatever the settings say meanwhile. The
//! cost: a file stored through a filter is compared unfiltered, changes inside a submodule are reported only once they are
//! committed there, and objects that a partial clone has not fetched are missing.
//!
//! ```
//! use throughline_documents::GitProbe as _;
//! use throughline_git::GitCli;
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! let status = GitCli::new(std::env::temp_dir()).status().await;
//! println!("{status:?}"); // branch, commit and changed files, or why they cannot be read
//! # }
//! ```
//!
//! Reading never changes a repository. [`GitCli::switch`], [`GitCli::add_worktree`], [`GitCli::remove_worktree`] and
//! [`GitCli::delete_branch_at`] do, for a user who wants a task on a branch or in a working tree of its own; files that are
//! stored through a filter are checked out unfiltered.
//!
//! [`GitCli::fetch_from`] gets the files of another repository into an empty folder.
//!
//! It does NOT know what a handoff is or when one is written, or what a task is.

mod cli;
mod environment;
mod fetched;
mod named_programs;
mod own_programs;
mod places;
mod status;
mod submodules;
mod trees;

pub use cli::GitCli;
pub use submodules::submodule_folders;
pub use trees::CheckedOut;
