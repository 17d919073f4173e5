//! `throughline run`: one task, headless, on a real model.

pub(crate) mod args;
mod command;
mod ending;
mod interrupt;
mod opening;
mod prompt;
mod report;
mod tally;
mod task;
mod told;
mod unstarted;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;
use throughline::{ConnectError, SessionSettings, Storage, model_table, workspace};
use throughline_agent::{Agent, TurnOutcome};
use throughline_conversation::{Message, Origin};
use throughline_tools::CancelFlag;

use crate::cost::CostMeter;
use crate::session::Which;
use crate::session::choose;
use crate::shell::data_dir_option;
use crate::slash;
use crate::terminal::note;
use args::{Output, RunArgs};
use ending::{Ending, failed, interrupted};
use opening::{first_model, open, say_held_back};
use report::Report;
use told::tell;
use unstarted::Unstarted;

pub(crate) use ending::answered;

/// Runs one task.
pub(crate) async fn run(args: RunArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let (started, output) = (Instant::now(), args.headless.output);
    let ran = begin(args, data_dir, started).await;
    Ok(ran.unwrap_or_else(|unstarted| unstarted.tell(output, started)))
}

async fn begin(args: RunArgs, data_dir: Option<PathBuf>, started: Instant) -> Result<ExitCode, Unstarted> {
    let task = args.task.as_deref().map(task::read).transpose().map_err(Unstarted::usage)?;
    let goes_on = args.session.which() != Which::New;
    // A task says itself what is to be done; standard input is left alone.
    let asked = if task.is_some() { None } else { prompt::read(args.prompt.as_deref(), goes_on)? };
    if let Some(line) = asked.as_deref().filter(|line| slash::is_command(line)) {
        return command::run(&args, data_dir, line).await;
    }
    if task.is_none() && asked.is_none() && !goes_on {
        let text = "there is nothing to do; write a prompt, or go on with a session: throughline run -c";
        return Err(Unstarted::usage(text));
    }
    let config = args.session.settings(data_dir.clone())?;
    let (connected, instead) = first_model(&config, &args).await?;
    let choice = SessionSettings::of(&config.resolved);
    let own = config.model(&args.session.model.choice());
    let names = config.fallbacks(&args.session.fallback);
    let (fallbacks, left_out) = connected.fallbacks(&own, &names, &choice, args.session.max_tokens).await;
    instead.iter().chain(&left_out).for_each(|text| note(text));
    say_held_back(&config);
    if let Some(text) = &connected.row.note {
        note(text);
    }

    let title = task.as_ref().map(|task| task.title.as_str()).or(asked.as_deref());
    let data = Storage::open(data_dir).await?;
    let start = choose(&args.session, &data).await?;
    let opened = open(&args, &config, &data, &connected, (start, fallbacks, title)).await?;
    let (mut agent, _lock, servers) = (opened.agent, opened.lock, opened.servers);
    let session = agent.session().clone();
    let output = args.headless.output;
    let cancel = CancelFlag::new();
    let origin = Origin::new(&agent.model().provider, &agent.model().name);
    let report = Report::new(
        output,
        cancel.clone(),
        CostMeter::new(model_table().map_err(anyhow::Error::from)?, origin),
    );
    if output == Output::StreamJson {
        let model = agent.model();
        report.object(&json!({
            "type": "session",
            "session": session,
            "provider": model.provider,
            "model": model.name,
            "window": model.window,
        }));
    }
    let watcher = interrupt::watch(cancel.clone());
    let mut far = None;
    let ending = match &task {
        None => work(&mut agent, asked, &report, &cancel).await,
        Some(file) => {
            let around = task::Around {
                file,
                report: &report,
                cancel: &cancel,
                workspace: &workspace(args.session.workspace.as_deref())?,
                max_turns: args.headless.max_turns,
                kept: opened.checkpoint,
            };
            let (ending, progress) = task::work(&mut agent, around).await;
            far = Some(task::told(&progress));
            ending
        }
    };
    let model = agent.model().clone();
    agent.close(&report).await;
    servers.close().await;
    // Until here it is of use: also what is slow to close can be left by asking once more.
    watcher.abort();

    let tally = report.tally();
    let ending = match &tally.unsaved {
        Some(cause) => ending.unsaved(&session, cause),
        None => ending,
    };
    let cost = tally.meter.cost();
    let mut told = json!({
        "type": "result",
        "outcome": ending.kind,
        "is_error": ending.error.is_some(),
        "text": ending.text,
        "error": ending.error,
        "note": ending.note,
        "stop": ending.stop,
        "session": session,
        "provider": model.provider,
        "model": model.name,
        "requests": cost.requests,
        "side_requests": cost.side_requests,
        "compactions": tally.compactions,
        "usage": cost.usage,
        "unreported": cost.unreported,
        "cost_usd": cost.dollars().exact(),
        "cost_usd_at_least": cost.dollars().at_least(),
        "duration_ms": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    if let (Some(far), Some(object)) = (far, told.as_object_mut()) {
        object.insert("task".to_owned(), far);
    }
    tell(&args, &report, &ending, &session, &data_dir_option(&data), &told);
    Ok(ExitCode::from(report.code(ending.code)))
}

async fn work(agent: &mut Agent, asked: Option<String>, report: &Report, cancel: &CancelFlag) -> Ending {
    let outcome = match asked {
        Some(text) => agent.turn(Message::user(text), report, cancel).await.map(Some),
        None => agent.continue_turn(report, cancel).await,
    };
    match outcome {
        Ok(Some(TurnOutcome { cancelled: true, .. })) => interrupted(),
        Ok(Some(TurnOutcome { text, stop, .. })) => answered(text, stop),
        Ok(None) => Ending::of(0, "nothing_to_do"),
        Err(error) => failed(&error),
    }
}

/// Says why there is no model to ask.
pub(crate) fn refuse(error: ConnectError) -> ExitCode {
    Unstarted::from(error).tell_person()
}
