//! `throughline watch`: runs another agent with hooks that store its transcript and restore its context.
//!
//! The program has the terminal for itself: nothing stands between the two. What is stored and restored is done by the
//! hooks, which run this program again.

mod child;
mod contexts;
mod events;
mod hook;
mod list;
mod pty;
mod receipt;
mod start;
mod status;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use throughline_terminal::complain;
use throughline_text::error_chain;
use throughline_watch::{ForeignAgent, LaunchChoice};

use crate::data_args::DataArgs;
use crate::foreign::{parse_agent, parse_agent_of_files};

#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Answer a hook of the watched program
    #[arg(long, hide = true, value_name = "AGENT", value_parser = parse_agent)]
    hook: Option<ForeignAgent>,
    /// Show if the restored contexts of a session reached the agent, and what offloading saved: claude:ID, codex:ID, opencode:ID or gemini:ID [default: the newest of this folder]
    #[arg(long, value_name = "SESSION", num_args = 0..=1, default_missing_value = "", conflicts_with = "hook")]
    status: Option<String>,
    /// List the sessions of this folder: as what each is stored, and how many compactions got its context
    #[arg(long, conflicts_with_all = ["hook", "status"])]
    list: bool,
    /// Store a session now and print its context: claude:ID, codex:ID, opencode:ID or gemini:ID [default: the newest of this folder]
    #[arg(long, value_name = "SESSION", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["hook", "status", "list"])]
    refresh: Option<String>,
    /// Show what was seen on the screens of watched programs
    #[arg(long, conflicts_with_all = ["hook", "status", "list", "refresh", "command"])]
    events: bool,
    /// Run the program in a terminal of its own and watch its screen, as for a program that has no hooks
    #[arg(long, requires = "command")]
    pty: bool,
    /// Agent whose sessions the program writes, if its name does not tell: claude, codex or gemini. Implies --pty
    #[arg(long, value_name = "NAME", value_parser = parse_agent_of_files, requires = "command")]
    agent: Option<ForeignAgent>,
    /// Store large results of the agent's tools, and show its model a preview with a reference: claude, codex and opencode
    #[arg(long, requires = "command")]
    offload: bool,
    /// The program and its arguments: claude …, codex …, opencode …, gemini …, or another one
    #[arg(last = true, value_name = "COMMAND", required_unless_present_any = ["hook", "status", "list", "refresh", "events"],
          conflicts_with_all = ["status", "list", "refresh"])]
    command: Vec<OsString>,
}

/// Runs the program in place of this one, or answers one of its hooks.
pub(crate) async fn run(args: &WatchArgs, data: &DataArgs) -> anyhow::Result<ExitCode> {
    if let Some(name) = &args.status {
        return status::status(name, data).await;
    }
    if args.list {
        list::list(data).await?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(name) = &args.refresh {
        contexts::refresh(name, data).await?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.events {
        events::print(data).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(agent) = args.hook else {
        let choice = LaunchChoice { agent: args.agent, offload: args.offload };
        return start::start(&args.command, args.pty, choice, data).await;
    };
    // A hook that ends with 2 blocks the agent, so every failure ends with 1.
    Ok(match hook::hook(agent, data).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error_chain(error.as_ref()));
            ExitCode::FAILURE
        }
    })
}
