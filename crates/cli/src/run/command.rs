//! A prompt that begins with `/`: a command of the session.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::json;
use throughline_agent::Rebuilt;

use super::args::{Output, RunArgs};
use super::report::{Report, object_line};
use super::{refuse, session};
use crate::ask::{self, Ask};
use crate::compose::Data;
use crate::connect::Connected;
use crate::desk::{Answer, Desk};
use crate::slash::{HELP, Slash, parse};
use crate::terminal::complain;
use crate::{pager, terminal};

/// Does what the command says. No model is asked, but by `/compact` and `/context rebuild`.
pub(super) async fn run(args: &RunArgs, data_dir: Option<PathBuf>, line: &str) -> anyhow::Result<ExitCode> {
    let slash = match parse(line) {
        Ok(slash) => slash,
        Err(error) => {
            complain(&error.to_string());
            return Ok(ExitCode::from(2));
        }
    };
    if slash == Slash::Help {
        terminal::line(HELP.trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    if args.resume.is_none() && !args.go_on {
        complain("a command works on a session that is there; name it with --continue or --resume");
        return Ok(ExitCode::from(2));
    }
    let answer = match &slash {
        Slash::Compact => match compact(args, data_dir).await? {
            Ok(answer) => answer,
            Err(code) => return Ok(code),
        },
        Slash::Help => Answer::told(&[]),
        Slash::Ask(Ask::Rebuild) => match rebuild(args, data_dir).await? {
            Ok(answer) => answer,
            Err(code) => return Ok(code),
        },
        Slash::Ask(ask) => {
            let data = Data::open(data_dir).await?;
            let session = session::named(args, &data).await?;
            ask::answer(&Desk::of(data, session), ask).await?
        }
    };
    match args.output {
        Output::Text => pager::show(&answer.text),
        Output::Json | Output::StreamJson => {
            object_line(&json!({ "type": "command", "command": line.trim(), "answer": answer.json }));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Has the model make STATE anew; by rule when none is configured. The code to end with, when the log was not written.
async fn rebuild(args: &RunArgs, data_dir: Option<PathBuf>) -> anyhow::Result<Result<Answer, ExitCode>> {
    let config = super::settings(args, data_dir.clone())?;
    let Ok(connected) = Connected::to(&config.model(&args.model)).await else {
        let data = Data::open(data_dir).await?;
        let session = session::named(args, &data).await?;
        return Ok(Ok(ask::answer(&Desk::of(data, session), &Ask::Rebuild).await?));
    };
    let opened = session::open(args, &config, data_dir, &connected, Vec::new(), None).await?;
    let (mut agent, option, _lock) = (opened.agent, opened.option, opened.lock);
    let session = agent.session().clone();
    let report = Report::new(args.output);
    let rebuilt = agent.rebuild_state(true, &report).await;
    agent.close(&report).await;
    if let Some(code) = super::unsaved(&report.tally(), &session) {
        return Ok(Err(code));
    }
    let before = format!("The ones before it: throughline state{option} {session} history --full");
    Ok(Ok(match rebuilt {
        Rebuilt::ByModel(text) => {
            Answer::told(&["STATE is made anew by the model:".to_owned(), text, before])
        }
        Rebuilt::ByRule(text) => {
            Answer::told(&["STATE is made anew by rule, as the model gave none:".to_owned(), text, before])
        }
        Rebuilt::Kept => {
            Answer::told(&["Nothing in view says what STATE should be; the old one stays.".to_owned()])
        }
    }))
}

/// Compacts now. The code to end with, when there is no model.
async fn compact(args: &RunArgs, data_dir: Option<PathBuf>) -> anyhow::Result<Result<Answer, ExitCode>> {
    let config = super::settings(args, data_dir.clone())?;
    let connected = match Connected::to(&config.model(&args.model)).await {
        Ok(connected) => connected,
        Err(error) => return Ok(Err(refuse(&error))),
    };
    let opened = session::open(args, &config, data_dir, &connected, Vec::new(), None).await?;
    let (mut agent, option, _lock) = (opened.agent, opened.option, opened.lock);
    let session = agent.session().clone();
    let report = Report::new(args.output);
    let done = agent.compact(&report).await;
    agent.close(&report).await;
    if let Some(code) = super::unsaved(&report.tally(), &session) {
        return Ok(Err(code));
    }
    let result = done?;
    let mut answer = Answer::told(&[
        format!("{result}."),
        format!("What it took away: throughline diff{option} {session}"),
        format!("To take this back: throughline undo{option} {session} --compaction"),
    ]);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("compaction".to_owned(), serde_json::to_value(&result)?);
    }
    Ok(Ok(answer))
}
