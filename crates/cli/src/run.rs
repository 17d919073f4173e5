//! `throughline run`: one prompt or task, without a screen.

pub(crate) mod args;
mod command;
mod ending;
mod opening;
mod prompt;
mod report;
mod result;
mod start_error;
mod task;
mod tree;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use args::{Output, RunArgs, TreeArgs};
use ending::exit_code;
use opening::{RunSession, open, options};
use report::Report;
use start_error::StartError;
use throughline_commands::shell::data_dir_option;
use throughline_commands::{NOTHING_TO_FORK, Which, choose, slash};
use throughline_config::{Config, StorageOptions, workspace};
use throughline_connect::ConnectError;
use throughline_conversation::Origin;
use throughline_session::{Session, SessionModels, check_unattended, gate_runner};
use throughline_stored::{Storage, recorded_model};
use throughline_task::TaskFile;
use throughline_terminal::note;
use throughline_tools::{CancelFlag, CommandRunner};
use tree::TaskTree;

use crate::interrupt;

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
    check_unattended(&config, &folder, args.session.agent.tools.set())
        .map_err(|error| StartError::usage(error.to_string()))?;
    let gates = match &work {
        Work::Task(file) if !file.gates.is_empty() => {
            gate_runner(&config, &folder, &task::files(args.task.as_deref()))
                .map_err(|error| StartError::usage(error.to_string()))?
        }
        _ => CommandRunner::new(),
    };
    if args.session.fork && args.session.which() == Which::New {
        return Err(StartError::usage(NOTHING_TO_FORK));
    }
    // Without a model, a new session leaves no data folder.
    let early = match args.session.which() {
        Which::New => Some(connect(args, &config, None).await?),
        _ => None,
    };
    let options = StorageOptions { serial: true, ..config.storage() };
    let data = Storage::open_with(data_dir, options).await?;
    let start = choose(&args.session.choice()?, &data).await?;
    let models = match early {
        Some(models) => models,
        None => connect(args, &config, recorded_model(&data, &start).await?.as_ref()).await?,
    };
    let session = RunSession { start, models: &models, title: work.title().unwrap_or_default() };
    let opened = open(args, &config, &data, session).await?;
    let run = Run { args, gates, data: &data, tree, started };
    run_session(run, opened, work).await
}

/// Connects to the first model that answers, and prints what the user should know of it.
async fn connect(
    args: &RunArgs,
    config: &Config,
    recorded: Option<&Origin>,
) -> Result<SessionModels, ConnectError> {
    let models = SessionModels::connect(&options(args), config, recorded).await?;
    models.notices(config).iter().for_each(|text| note(text));
    Ok(models)
}

/// What a run was started with.
struct Run<'a> {
    args: &'a RunArgs,
    /// Runs the quality gates of a task.
    gates: CommandRunner,
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
async fn run_session(run: Run<'_>, mut opened: Session, work: Work) -> Result<ExitCode, StartError> {
    let Run { args, gates, data, tree, started } = run;
    let cancel = CancelFlag::new();
    let report = Arc::new(Report::new(args.headless.output, cancel.clone(), opened.tally()?));
    if args.headless.output == Output::StreamJson {
        report.object(&opened.object());
    }
    let last_words = {
        let (session, model) = (opened.agent.session().clone(), opened.agent.model().clone());
        let report = Arc::clone(&report);
        move || result::print_interrupted(&report, &session, &model, started)
    };
    let watcher = interrupt::watch(cancel.clone(), last_words);
    let (ending, progress) = match work {
        Work::Prompt(prompt) => (opened.turn(prompt, report.as_ref(), &cancel).await?, None),
        Work::Task(file) => {
            let context = task::TaskContext {
                file: &file,
                report: &report,
                cancel: &cancel,
                gates,
                workspace: &workspace(args.session.workspace.as_deref())?,
                max_turns: args.headless.max_turns,
                checkpoint: opened.checkpoint.take(),
            };
            let (ending, progress) = task::work(&mut opened.agent, context).await;
            (ending, Some(task::object(&progress, tree.map(TaskTree::object).as_ref())))
        }
    };
    let tally = || {
        // A second Ctrl-C ends the program until here, in case closing is slow.
        watcher.abort();
        report.tally()
    };
    let mut result = opened.finish(ending, report.as_ref(), tally).await?;
    result.task = progress;
    result::print(&result, args, &report, &data_dir_option(data), started);
    Ok(ExitCode::from(report.code(exit_code(&result.ending))))
}

/// Prints why there is no model to ask.
pub(crate) fn refuse(error: ConnectError) -> ExitCode {
    StartError::from(error).print_for_person()
}
