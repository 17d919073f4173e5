//! `throughline run`: one task, headless, on a real model.

pub(crate) mod args;
mod command;
mod interrupt;
mod opening;
mod prompt;
mod report;
mod tally;
mod task;
mod unstarted;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};
use throughline_agent::{Agent, TurnError, TurnOutcome};
use throughline_completion::{ModelError, StopReason};
use throughline_conversation::{Message, SessionId, error_chain};
use throughline_tools::CancelFlag;

use crate::compose::{Data, workspace};
use crate::config::Choice;
use crate::connect::{ConnectError, Connected};
use crate::session::{Which, choose};
use crate::slash;
use crate::terminal::{complain, line, note, plain};
use args::{Output, RunArgs};
use opening::{open, say_held_back};
use report::{Report, object_line};
use tally::Tally;
use unstarted::Unstarted;

/// What a run ends with, as a number for scripts. 0 is done.
mod exit {
    /// Something went wrong that nobody foresaw.
    pub(super) const FAILED: u8 = 1;
    /// It was called in a wrong way.
    pub(super) const USAGE: u8 = 2;
    /// No model is configured, or its provider refuses the key.
    pub(super) const NO_MODEL: u8 = 3;
    /// The provider cannot answer now, or limits the rate: the same command may succeed later.
    pub(super) const TRY_LATER: u8 = 4;
    /// A limit of this run was reached.
    pub(super) const LIMIT: u8 = 5;
    /// Interrupted; the session can be resumed.
    pub(super) const INTERRUPTED: u8 = 130;
}

/// How a run ended.
pub(crate) struct Ending {
    code: u8,
    /// One word for programs.
    kind: &'static str,
    text: String,
    stop: Option<String>,
    pub(crate) error: Option<String>,
    /// What its user should know of an answer that is whole.
    pub(crate) note: Option<String>,
}

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
    let (connected, instead) = Connected::first(&config, &args.session).await?;
    let choice = Choice::of(&config.resolved);
    let (fallbacks, left_out) = connected.fallbacks(&config, &args.session, &choice).await;
    instead.iter().chain(&left_out).for_each(|text| note(text));
    say_held_back(&config);
    if let Some(text) = &connected.row.note {
        note(text);
    }

    let title = task.as_ref().map(|task| task.title.as_str()).or(asked.as_deref());
    let data = Data::open(data_dir).await?;
    let start = choose(&args.session, &data).await?;
    let opened = open(&args, &config, &data, &connected, (start, fallbacks, title)).await?;
    let (mut agent, _lock, servers) = (opened.agent, opened.lock, opened.servers);
    let session = agent.session().clone();
    let output = args.headless.output;
    let report = Report::new(output);
    if output == Output::StreamJson {
        let model = agent.model();
        object_line(&json!({
            "type": "session",
            "session": session,
            "provider": model.provider,
            "model": model.name,
            "window": model.window,
        }));
    }
    let cancel = CancelFlag::new();
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
    let price = connected.row.dollars_per_million_input.filter(|_| model == connected.row.info);
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
        "requests": tally.requests,
        "compactions": tally.compactions,
        "usage": tally.usage,
        "unreported": tally.unreported,
        "cost_usd": tally.dollars(&model.prices, price).filter(|_| tally.unreported == 0),
        "cost_usd_at_least": tally.dollars(&model.prices, price),
        "duration_ms": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    if let (Some(far), Some(object)) = (far, told.as_object_mut()) {
        object.insert("task".to_owned(), far);
    }
    tell(&args, &report, &ending, &session, &data.option, &told);
    Ok(unsaved(&tally, &session).unwrap_or(ExitCode::from(ending.code)))
}

async fn work(agent: &mut Agent, asked: Option<String>, report: &Report, cancel: &CancelFlag) -> Ending {
    let outcome = match asked {
        Some(text) => agent.turn(Message::user(text), report, cancel).await.map(Some),
        None => agent.go_on(report, cancel).await,
    };
    match outcome {
        Ok(Some(TurnOutcome { cancelled: true, .. })) => interrupted(),
        Ok(Some(TurnOutcome { text, stop, .. })) => answered(text, stop),
        Ok(None) => Ending::of(0, "nothing_to_do"),
        Err(error) => failed(&error),
    }
}

fn interrupted() -> Ending {
    Ending {
        stop: Some("cancelled".to_owned()),
        error: Some("interrupted".to_owned()),
        ..Ending::of(exit::INTERRUPTED, "interrupted")
    }
}

impl Ending {
    fn of(code: u8, kind: &'static str) -> Self {
        Self { code, kind, text: String::new(), stop: None, error: None, note: None }
    }
}

/// How a turn ended that the model ended: not every end is an answer.
pub(crate) fn answered(text: String, stop: String) -> Ending {
    let mut note = None;
    let (code, kind, error) = match stop.as_str() {
        "refusal" => (exit::FAILED, "refused", Some("the model refuses to answer".to_owned())),
        "max_tokens" => {
            let why = "the answer reached its limit of tokens and is cut off; raise --max-tokens, or go on";
            (exit::LIMIT, "cut_off", Some(why.to_owned()))
        }
        StopReason::WINDOW_FULL => {
            let why = "the answer filled the model's window and is cut off; compact the session with /compact and go on, \
                       or use a larger window";
            (exit::LIMIT, "cut_off", Some(why.to_owned()))
        }
        _ if text.trim().is_empty() => {
            let why = format!("the model gave an empty answer ({stop}); nothing of it is kept, so try again");
            (exit::TRY_LATER, "empty_answer", Some(why))
        }
        "end_turn" | "stop_sequence" | "tool_use" | "pause" => (0, "done", None),
        _ => {
            note = Some(format!("the model stopped for a reason that is not known here: {stop}"));
            (0, "done", None)
        }
    };
    Ending { code, kind, text, stop: Some(stop), error, note }
}

fn failed(error: &TurnError) -> Ending {
    let (code, kind) = match error {
        TurnError::Model(ModelError::Unauthorized { .. }) => (exit::NO_MODEL, "unauthorized"),
        TurnError::Model(error) if error.is_transient() => (exit::TRY_LATER, "try_later"),
        TurnError::TooManyRequests(_) => (exit::LIMIT, "limit"),
        _ => (exit::FAILED, "failed"),
    };
    Ending { error: Some(error_chain(error)), ..Ending::of(code, kind) }
}

/// Says how the run ended, in the format that was asked for.
fn tell(args: &RunArgs, report: &Report, ending: &Ending, session: &SessionId, option: &str, told: &Value) {
    match args.headless.output {
        Output::Json | Output::StreamJson => object_line(told),
        Output::Text => {
            if !ending.text.is_empty() && !report.is_live() {
                line(&plain(&ending.text));
            }
            if ending.kind == "nothing_to_do" {
                note(&format!("session {session} has nothing to go on with; its last word was the model's"));
            }
            ending.note.iter().for_each(|text| note(text));
            if let Some(error) = &ending.error {
                complain(error);
                let task = args.task.as_ref().map(|file| format!(" --task {}", file.display()));
                note(&format!(
                    "session {session} keeps everything; go on with: throughline run{option} --resume {session}{}",
                    task.unwrap_or_default()
                ));
            }
        }
    }
}

/// A session whose end is not on disk is a failure, whatever the model said.
fn unsaved(tally: &Tally, session: &SessionId) -> Option<ExitCode> {
    let cause = tally.unsaved.as_ref()?;
    complain(&format!("the end of session {session} is not kept: {cause}"));
    Some(ExitCode::FAILURE)
}

/// Says why there is no model to ask.
pub(crate) fn refuse(error: ConnectError) -> ExitCode {
    Unstarted::from(error).tell_person()
}
