//! Arguments of `throughline run`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use throughline_session::TreeChoice;

use crate::session::args::SessionArgs;

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    /// The answer on standard output, progress on standard error
    Text,
    /// One JSON object at the end
    Json,
    /// One JSON object per line for every event
    StreamJson,
}

/// Arguments of `throughline run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Prompt; `-` reads it from standard input [default: standard input unless it is a terminal; with --continue or --resume
    /// it must begin within 3 seconds]
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Work on this task file, turn after turn, until its quality gates pass
    #[arg(long, value_name = "FILE", conflicts_with = "prompt")]
    pub(crate) task: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) tree: TreeArgs,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) headless: HeadlessArgs,
}

/// The branch and the working tree of a task.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct TreeArgs {
    /// With --task: work on this Git branch; a missing one is created
    #[arg(hide_short_help = true, long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
    /// With --task: work in a Git worktree of its own, next to the repository [branch: --branch, else one named after the task]
    #[arg(hide_short_help = true, long)]
    pub(crate) worktree: bool,
    /// With --worktree: afterwards remove the worktree if everything in it is committed, and its branch if it has no new commit
    #[arg(hide_short_help = true, long, requires = "worktree")]
    pub(crate) remove_worktree: bool,
}

/// Arguments of a run without a screen.
#[derive(Debug, Clone, Args)]
pub(crate) struct HeadlessArgs {
    /// Output format
    #[arg(long, short, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    pub(crate) output: Output,
    /// Maximum number of requests to the model
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    pub(crate) max_turns: Option<u64>,
}

impl RunArgs {
    /// The task file, if there is one: the model works on it and does not change it.
    pub(crate) fn task_files(&self) -> Vec<PathBuf> {
        let absolute = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
        self.task.iter().map(absolute).collect()
    }
}

impl TreeArgs {
    /// What the task asks for, if anything.
    pub(crate) fn choice(&self) -> Option<TreeChoice> {
        let Self { branch, worktree, remove_worktree } = self.clone();
        (branch.is_some() || worktree).then_some(TreeChoice { branch, worktree, remove_worktree })
    }
}
