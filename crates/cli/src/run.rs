//! `throughline run`: one prompt or task, without a screen.

pub(crate) mod args;
mod command;
mod ending;
mod interrupt;
mod opening;
mod prompt;
mod report;
mod result;
mod start_error;
mod tally;
mod task;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use throughline::{
    Config, ConnectError, CostMeter, OpenedSession, SessionHandle, Storage, check_unattended, model_table,
    recorded_model, unlimited, workspace,
};
use throughline_agent::{Agent, TurnOutcome};
use throughline_conversation::{Message, Origin};
use throughline_task::TaskFile;
use throughline_tools::CancelFlag;

use crate::session::{NOTHING_TO_FORK, Which, choose};
use crate::shell::data_dir_option;
use crate::slash;
use args::{Output, RunArgs, TreeArgs};
use ending::{Ending, failed, interrupted};
use opening::{Models, open};
use report::Report;
use result::RunResult;
use start_error::StartError;
use tree::TaskTree;

pub(crate) use ending::answered;

/// Runs one prompt, task or command.
pub(crate) async fn run(args: RunArgs, data_dir: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let (started, output) = (Instant::now(), args.headless.output);
    let ran = start(args, data_dir, started).await;
    Ok(ran.unwrap_or_else(|error| error.print(output, started)))
}

async fn start(
    mut args: RunArgs,
    data_dir: Option<PathBuf>,
    started: Instant,
) -> Result<ExitCode, StartError> {
    let work = match Request::read(&args)? {
        Request::Command(line) => return command::run(&args, data_dir, &line).await,
        Request::Work(work) => work,
    };
    let tree = TaskTree::enter(&mut args, work.title().unwrap_or_default()).await?;
    let ran = work_on(&args, data_dir, work, tree.as_ref(), started).await;
    if let Some(tree) = tree {
        tree.leave().await;
    }
    ran
}

/// Opens the session and works in it.
async fn work_on(
    args: &RunArgs,
    data_dir: Option<PathBuf>,
    work: Work,
    tree: Option<&TaskTree>,
    started: Instant,
) -> Result<ExitCode, StartError> {
    let config = args.session.settings(data_dir.clone())?;
    let folder =
        workspace(args.session.workspace.as_deref()).map_err(|error| StartError::usage(error.to_string()))?;
    check_unattended(&config, &folder, args.session.tools.set())
        .map_err(|error| StartError::usage(error.to_string()))?;
    if args.session.fork && args.session.which() == Which::New {
        return Err(StartError::usage(NOTHING_TO_FORK));
    }
    // Without a model, a new session leaves no data folder.
    let early = match args.session.which() {
        Which::New => Some(Models::connect(args, &config, None).await?),
        _ => None,
    };
    let data = Storage::open_with(data_dir, config.durability()).await?;
    let start = choose(&args.session, &data).await?;
    let models = match early {
        Some(models) => models,
        None => Models::connect(args, &config, recorded_model(&data, &start).await?.as_ref()).await?,
    };
    let opened = open(args, &config, &data, models.opening(start, work.title())).await?;
    let run = Run { args, config: &config, data: &data, tree, started };
    run_session(run, opened, work).await
}

/// What a run was started with.
struct Run<'a> {
    args: &'a RunArgs,
    config: &'a Config,
    data: &'a Storage,
    tree: Option<&'a TaskTree>,
    started: Instant,
}

/// What is asked of a run.
enum Request {
    /// A command of the session, which begins with `/`.
    Command(String),
    Work(Work),
}

/// Work for the model.
enum Work {
    Task(Box<TaskFile>),
    /// `None`: continue the turn that was interrupted.
    Prompt(Option<String>),
}

impl Request {
    fn read(args: &RunArgs) -> Result<Self, StartError> {
        let TreeArgs { branch, worktree, .. } = &args.tree;
        if args.task.is_none() && (*worktree || branch.is_some()) {
            return Err(StartError::usage("--branch and --worktree are for a task; add --task FILE"));
        }
        if let Some(file) = &args.task {
            // A task file is the whole request, so standard input is not read.
            let task = task::read(file).map_err(StartError::usage)?;
            return Ok(Self::Work(Work::Task(Box::new(task))));
        }
        let continues = args.session.which() != Which::New;
        match prompt::read(args.prompt.as_deref(), continues)? {
            Some(line) if slash::is_command(&line) => Ok(Self::Command(line)),
            None if !continues => Err(StartError::usage(
                "there is nothing to do; write a prompt, or continue a session: throughline run -c",
            )),
            prompt => Ok(Self::Work(Work::Prompt(prompt))),
        }
    }
}

impl Work {
    /// The title of a new session.
    fn title(&self) -> Option<&str> {
        match self {
            Self::Task(file) => Some(&file.title),
            Self::Prompt(prompt) => prompt.as_deref(),
        }
    }
}

/// Works in an open session and prints the result.
async fn run_session(run: Run<'_>, opened: OpenedSession, work: Work) -> Result<ExitCode, StartError> {
    let Run { args, config, data, tree, started } = run;
    let (mut agent, lock, servers) = (opened.agent, opened.lock, opened.servers);
    let asked_before = agent.requests();
    let session = agent.session().clone();
    let cancel = CancelFlag::new();
    let origin = Origin::new(&agent.model().provider, &agent.model().name);
    let mut meter = CostMeter::new(model_table().map_err(anyhow::Error::from)?, origin);
    meter.set_cache_ttl(config.cache_ttl());
    let report = Arc::new(Report::new(args.headless.output, cancel.clone(), meter));
    if args.headless.output == Output::StreamJson {
        report.object(&session_object(&agent));
    }
    let last_words = {
        let (report, session, model) = (Arc::clone(&report), session.clone(), agent.model().clone());
        move || result::print_interrupted(&report, &session, &model, started)
    };
    let watcher = interrupt::watch(cancel.clone(), last_words);
    let (ending, progress) = match work {
        Work::Prompt(prompt) => {
            let prompt = match prompt {
                Some(text) => Some(with_kept_files(text, &agent, args, data).await?),
                None => None,
            };
            (turn(&mut agent, prompt, &report, &cancel).await, None)
        }
        Work::Task(file) => {
            let context = task::TaskContext {
                file: &file,
                report: &report,
                cancel: &cancel,
                gates: unlimited(config),
                workspace: &workspace(args.session.workspace.as_deref())?,
                max_turns: args.headless.max_turns,
                checkpoint: opened.checkpoint,
            };
            let (ending, progress) = task::work(&mut agent, context).await;
            (ending, Some(task::object(&progress, tree.map(TaskTree::object).as_ref())))
        }
    };
    let (model, asked) = (agent.model().clone(), agent.requests());
    agent.close(report.as_ref()).await;
    servers.close().await;
    // A second Ctrl-C ends the program until here, in case closing is slow.
    watcher.abort();
    let tally = report.tally();
    let gone = data.store.check_place().err().map(|gone| gone.to_string());
    let ending = match tally.unsaved.as_ref().or(gone.as_ref()) {
        Some(cause) => ending.unsaved(&session, cause),
        None => ending,
    };
    let is_kept = !args.session.is_new() || asked > asked_before || ending.kind != "failed";
    if !is_kept {
        data.discard(&session, lock).await.map_err(anyhow::Error::from)?;
    }
    let session = is_kept.then_some(&session);
    let result = RunResult { ending: &ending, session, model: &model, tally: &tally, task: progress };
    result.print(args, &report, &data_dir_option(data), started);
    Ok(ExitCode::from(report.code(ending.code)))
}

/// The first object of the stream.
fn session_object(agent: &Agent) -> Value {
    let model = agent.model();
    json!({
        "type": "session",
        "session": agent.session(),
        "provider": model.provider,
        "model": model.name,
        "window": model.window,
    })
}

/// The prompt, with a notice if files still have the changes of turns that were undone.
async fn with_kept_files(
    text: String,
    agent: &Agent,
    args: &RunArgs,
    data: &Storage,
) -> anyhow::Result<String> {
    let handle = SessionHandle::new(data.clone(), agent.session().clone());
    let workspace = workspace(args.session.workspace.as_deref())?;
    Ok(match handle.kept_files_notice(agent, &workspace).await? {
        Some(notice) => format!("{text}\n\n{notice}"),
        None => text,
    })
}

async fn turn(agent: &mut Agent, prompt: Option<String>, report: &Report, cancel: &CancelFlag) -> Ending {
    let outcome = match prompt {
        Some(text) => agent.turn(Message::user(text), report, cancel).await.map(Some),
        None => agent.continue_turn(report, cancel).await,
    };
    match outcome {
        Ok(Some(TurnOutcome { cancelled: true, .. })) => interrupted(),
        Ok(Some(outcome)) => answered(outcome),
        Ok(None) => Ending::of(0, "nothing_to_do"),
        Err(error) => failed(&error),
    }
}

/// Prints why there is no model to ask.
pub(crate) fn refuse(error: ConnectError) -> ExitCode {
    StartError::from(error).print_for_person()
}
