//! `throughline resume`: continues a session, also one of another agent.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use throughline_commands::UsageError;
use throughline_watch::{ForeignAgent, ForeignName};

use crate::chat_args::ChatArgs;
use crate::foreign::{self, parse_agent};
use crate::run::args::HeadlessArgs;
use crate::session::args::SessionArgs;
use crate::start::start;

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// Session id, the start of one, `last`, words of its title, or a session of another agent: claude:ID, codex:ID, opencode:ID, gemini:ID
    /// [default: choose from a list]
    #[arg(value_name = "SESSION", conflicts_with_all = ["resume", "newest"])]
    session_name: Option<String>,
    /// Choose from the sessions that another agent has in this folder
    #[arg(long, value_name = "AGENT", value_parser = parse_agent, conflicts_with_all = ["session_name", "resume", "newest"])]
    from: Option<ForeignAgent>,
    /// First prompt
    #[arg(long, short = 'p', value_name = "PROMPT")]
    prompt: Option<String>,
    #[command(flatten)]
    session: SessionArgs,
    #[command(flatten)]
    headless: HeadlessArgs,
}

/// Continues the session as the program without a command does.
pub(crate) async fn run(
    args: ResumeArgs,
    data_dir: Option<PathBuf>,
    any_folder: bool,
) -> anyhow::Result<ExitCode> {
    let ResumeArgs { session_name, from, prompt, mut session, headless } = args;
    session.any_folder = any_folder;
    if session.newest || session.resume.is_some() {
        bail!(UsageError("name the session after `resume`, without --continue and --resume".to_owned()));
    }
    let name = match from {
        Some(agent) => Some(foreign::choose(agent, session.any_folder, session.workspace.as_deref())?),
        None => session_name,
    };
    if name.as_deref().is_some_and(|name| ForeignName::parse(name).is_none() && name.contains(':')) {
        bail!(UsageError(format!(
            "{:?} names no agent whose sessions can be read; write claude:ID, codex:ID, opencode:ID or gemini:ID",
            name.unwrap_or_default()
        )));
    }
    session.resume = Some(name);
    start(ChatArgs { prompt, print: false, session, headless }, data_dir).await
}
