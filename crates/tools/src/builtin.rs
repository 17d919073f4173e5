//! The built-in tools: files, search, commands and the checklist.

mod allowed_roots;
mod builtin_tools;
mod change;
mod current_text;
mod definition;
mod edit_file;
mod file_tool;
mod git_head;
mod grep;
mod hard_links;
mod line_endings;
mod list_files;
mod multi_edit;
mod near_miss;
mod read_file;
mod regular;
mod replacement;
mod shell;
mod update_checklist;
mod walk;
mod watched_shell;
mod write_file;

pub use builtin_tools::{BuiltinTools, builtin_tools};
pub use shell::{CommandEnding, CommandRunner, JobInfo, Jobs, PipedOutput, says_that_it_runs, started_job};

#[cfg(test)]
mod tests;
