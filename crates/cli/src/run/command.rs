//! A prompt that begins with `/`: a command of the session.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use throughline_conversation::SessionId;
use throughline_tools::CancelFlag;

use super::args::{Output, RunArgs};
use super::report::{Report, object_line};
use super::unstarted::Unstarted;
use crate::ask::{self, Ask};
use crate::compaction::compacted;
use crate::compose::Data;
use crate::config::Config;
use crate::connect::Connected;
use crate::desk::{Answer, Desk, Hand};
use crate::session::{Opened, Start, Which, choose};
use crate::slash::{Slash, help, parse};
use crate::terminal::note;
use crate::{pager, terminal};

/// Does what the command says. No model is asked, but by `/compact` and `/context rebuild`.
pub(super) async fn run(
    args: &RunArgs,
    data_dir: Option<PathBuf>,
    line: &str,
) -> Result<ExitCode, Unstarted> {
    let slash = parse(line).map_err(|error| Unstarted::usage(error.to_string()))?;
    if slash == Slash::Help {
        terminal::line(help(false).trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    if let Slash::Screen(_) = slash {
        let name = line.split_whitespace().next().unwrap_or_default();
        let text = format!("{name} is a command of the interactive session; start one: throughline -c");
        return Err(Unstarted::usage(text));
    }
    if args.session.which() == Which::New {
        let text = "a command works on a session that is there; name it with --continue or --resume";
        return Err(Unstarted::usage(text));
    }
    let config = args.session.settings(data_dir.clone())?;
    let data = Data::open(data_dir).await?;
    let answer = match &slash {
        Slash::Compact { instructions } => {
            match compact(args, &config, &data, instructions.as_deref()).await? {
                Ok(answer) => answer,
                Err(code) => return Ok(code),
            }
        }
        Slash::Help | Slash::Screen(_) => Answer::told(&[]),
        Slash::Ask(Ask::Rebuild) => match rebuild(args, &config, &data).await? {
            Ok(answer) => answer,
            Err(code) => return Ok(code),
        },
        Slash::Ask(ask) => {
            let session = named(args, &data).await?;
            ask::answer(&Desk::of(data, session), &mut Hand::Own, ask).await?
        }
    };
    match args.headless.output {
        Output::Text => pager::show(&answer.text),
        Output::Json | Output::StreamJson => {
            object_line(&json!({ "type": "command", "command": line.trim(), "answer": answer.json }));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Has the model make STATE anew; by rule when none is configured. The code to end with, when the log was not written.
async fn rebuild(args: &RunArgs, config: &Config, data: &Data) -> anyhow::Result<Result<Answer, ExitCode>> {
    let Ok((connected, _)) = Connected::first(config, &args.session).await else {
        let desk = Desk::of(data.clone(), named(args, data).await?);
        return Ok(Ok(ask::answer(&desk, &mut Hand::Own, &Ask::Rebuild).await?));
    };
    let opened = open(args, config, data, &connected).await?;
    let (mut agent, _lock) = (opened.agent, opened.lock);
    let desk = Desk::of(data.clone(), agent.session().clone());
    let report = Report::new(args.headless.output);
    let answer = ask::answer(&desk, &mut Hand::Agent(&mut agent, &report), &Ask::Rebuild).await;
    agent.close(&report).await;
    match super::unsaved(&report.tally(), &desk.session) {
        Some(code) => Ok(Err(code)),
        None => answer.map(Ok),
    }
}

/// Compacts now. The code to end with, when the log was not written.
async fn compact(
    args: &RunArgs,
    config: &Config,
    data: &Data,
    instructions: Option<&str>,
) -> Result<Result<Answer, ExitCode>, Unstarted> {
    let (connected, instead) = Connected::first(config, &args.session).await?;
    instead.iter().for_each(|text| note(text));
    let opened = open(args, config, data, &connected).await?;
    let (mut agent, _lock) = (opened.agent, opened.lock);
    let desk = Desk::of(data.clone(), agent.session().clone());
    let report = Report::new(args.headless.output);
    let done = agent.compact_with(instructions, &report, &CancelFlag::new()).await;
    agent.close(&report).await;
    match super::unsaved(&report.tally(), &desk.session) {
        Some(code) => Ok(Err(code)),
        None => Ok(Ok(compacted(&desk, &done.map_err(anyhow::Error::from)?).await?)),
    }
}

async fn open(args: &RunArgs, config: &Config, data: &Data, connected: &Connected) -> anyhow::Result<Opened> {
    let start = choose(&args.session, data).await?;
    super::open(args, config, data, connected, (start, Vec::new(), None)).await
}

/// The session that is meant, which is not opened.
async fn named(args: &RunArgs, data: &Data) -> anyhow::Result<SessionId> {
    match choose(&args.session, data).await? {
        Start::There(session) => Ok(session),
        Start::New | Start::CopyOf(_) => anyhow::bail!("this command opens no session; leave --fork out"),
    }
}
