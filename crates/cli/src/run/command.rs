//! A prompt that begins with `/`: a command of the session.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use throughline::{Config, ConnectedModel, OpenedSession, SessionStart, SessionWriter, Storage};
use throughline_agent::CompactError;
use throughline_conversation::SessionId;
use throughline_text::error_chain;
use throughline_tools::CancelFlag;

use super::args::{Output, RunArgs};
use super::opening::first_model;
use super::report::Report;
use super::unstarted::Unstarted;
use crate::answer::Answer;
use crate::compaction::compacted;
use crate::cost::CostMeter;
use crate::execute::execute;
use crate::pager;
use crate::session::Which;
use crate::session::choose;
use crate::session_command::SessionCommand;
use crate::slash::{Slash, help, parse};
use crate::target::CommandTarget;
use crate::terminal::note;

/// Does what the command says. No model is asked, but by `/compact` and `/context rebuild`.
pub(super) async fn run(
    args: &RunArgs,
    data_dir: Option<PathBuf>,
    line: &str,
) -> Result<ExitCode, Unstarted> {
    let slash = parse(line).map_err(|error| Unstarted::usage(error.to_string()))?;
    if let Slash::Screen(_) = slash {
        let name = line.split_whitespace().next().unwrap_or_default();
        let text = format!("{name} is a command of the interactive session; start one: throughline -c");
        return Err(Unstarted::usage(text));
    }
    let cancel = CancelFlag::new();
    let report = Report::new(args.headless.output, cancel.clone(), CostMeter::default());
    let answer = match &slash {
        Slash::Help | Slash::Screen(_) => {
            let lines: Vec<String> = help(false).trim_end().lines().map(str::to_owned).collect();
            Answer::lines(&lines)
        }
        _ if args.session.which() == Which::New => {
            let text = "a command works on a session that is there; name it with --continue or --resume";
            return Err(Unstarted::usage(text));
        }
        slash => {
            let config = args.session.settings(data_dir.clone())?;
            let data = Storage::open(data_dir).await?;
            match slash {
                Slash::Compact { instructions } => {
                    let instructions = instructions.join(" ");
                    let how = (Some(instructions.as_str()).filter(|text| !text.is_empty()), &cancel);
                    compact(args, &config, &data, how, &report).await?
                }
                Slash::Session(command) => match command.command() {
                    SessionCommand::Rebuild => rebuild(args, &config, &data, &report).await?,
                    command => {
                        let session = named(args, &data).await?;
                        execute(&CommandTarget::new(data, session), &mut SessionWriter::Handle, &command)
                            .await?
                    }
                },
                Slash::Help | Slash::Screen(_) => Answer::lines(&[]),
            }
        }
    };
    match args.headless.output {
        Output::Text => pager::show(&answer.text),
        Output::Json | Output::StreamJson => {
            report.object(&json!({ "type": "command", "command": line.trim(), "answer": answer.json }));
        }
    }
    Ok(ExitCode::from(report.code(0)))
}

/// Has the model make STATE anew; by rule when none is configured.
async fn rebuild(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    report: &Report,
) -> Result<Answer, Unstarted> {
    let Ok((connected, _)) = first_model(config, args).await else {
        let target = CommandTarget::new(data.clone(), named(args, data).await?);
        return Ok(execute(&target, &mut SessionWriter::Handle, &SessionCommand::Rebuild).await?);
    };
    let opened = open(args, config, data, &connected).await?;
    let (mut agent, _lock) = (opened.agent, opened.lock);
    let target = CommandTarget::new(data.clone(), agent.session().clone());
    let answer =
        execute(&target, &mut SessionWriter::Agent(&mut agent, report), &SessionCommand::Rebuild).await;
    agent.close(report).await;
    saved(report, &target.handle.session)?;
    Ok(answer?)
}

/// Compacts now.
async fn compact(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    (instructions, cancel): (Option<&str>, &CancelFlag),
    report: &Report,
) -> Result<Answer, Unstarted> {
    let (connected, instead) = first_model(config, args).await?;
    instead.iter().for_each(|text| note(text));
    let opened = open(args, config, data, &connected).await?;
    let (mut agent, _lock) = (opened.agent, opened.lock);
    let target = CommandTarget::new(data.clone(), agent.session().clone());
    let done = agent.compact_with(instructions, report, cancel).await;
    agent.close(report).await;
    saved(report, &target.handle.session)?;
    match done {
        Ok(result) => Ok(compacted(&target, &result).await?),
        // The disk refuses the store's bytes or the log's records: which of them comes first is chance.
        Err(error @ CompactError::Store(_)) => {
            Err(Unstarted::not_stored(target.handle.session.clone(), error_chain(&error)))
        }
        Err(error) => Err(anyhow::Error::from(error).into()),
    }
}

/// A session whose end is not on disk is a failure, whatever was done.
fn saved(report: &Report, session: &SessionId) -> Result<(), Unstarted> {
    match report.tally().unsaved {
        Some(cause) => Err(Unstarted::unsaved(session.clone(), &cause)),
        None => Ok(()),
    }
}

async fn open(
    args: &RunArgs,
    config: &Config,
    data: &Storage,
    connected: &ConnectedModel,
) -> anyhow::Result<OpenedSession> {
    let start = choose(&args.session, data).await?;
    super::open(args, config, data, connected, (start, Vec::new(), None)).await
}

/// The session that is meant, which is not opened.
async fn named(args: &RunArgs, data: &Storage) -> anyhow::Result<SessionId> {
    match choose(&args.session, data).await? {
        SessionStart::Existing(session) => Ok(session),
        SessionStart::New | SessionStart::Fork(_) => {
            anyhow::bail!("this command opens no session; leave --fork out")
        }
    }
}
