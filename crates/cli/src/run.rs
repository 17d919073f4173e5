//! `throughline run`: one prompt or task, without a screen.

pub(crate) mod args;
mod command;
mod ending;
mod misused;
mod opening;
mod prompt;
mod report;
mod result;
mod start_error;
mod user;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use args::{Output, RunArgs, TreeArgs};
use ending::exit_code;
pub(crate) use misused::misused;
use opening::{RunSession, open, options};
use prompt::Prompt;
use report::Report;
use result::Again;
use serde_json::Value;
use start_error::StartError;
use throughline::ports::{CancelFlag, Message};
use throughline::{Error, Session};
use throughline_commands::{NOTHING_TO_FORK, PromptCommands, Which, choose, slash};
use throughline_config::{Config, StorageOptions, workspace};
use throughline_connect::ConnectError;
use throughline_session::{
    FileAttacher, LeftTree, SessionModels, TaskFile, TaskGates, TaskRun, TaskTree, check_unattended,
    read_task, unfinished_task,
};
use throughline_stored::{SessionStart, Storage, data_dir_option, recorded_model};
use throughline_terminal::note;

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
    let work = match Request::read(&args, data_dir.as_ref())? {
        Request::Command(line) => return command::run(&args, data_dir, &line).await,
        Request::Work(work) => work,
    };
    let again = result::again_in_worktree(&args);
    let tree = match args.tree.choice() {
        Some(choice) => {
            let folder = workspace(args.session.workspace.as_deref())?;
            Some(TaskTree::enter(choice, &folder, work.title().unwrap_or_default()).await?)
        }
        None => None,
    };
    if let Some(tree) = &tree {
        note(&tree.notice());
        if let Some(workspace) = tree.workspace() {
            args.session.workspace = Some(workspace.to_owned());
        }
    }
    let mut place = Place { tree, again };
    let ran = work_on(&args, data_dir, work, &mut place, started).await;
    // Something failed before the task had ended.
    place.leave().await;
    ran
}

/// Where a task works.
struct Place {
    /// `None`: in the folder of the run, or it was left.
    tree: Option<TaskTree>,
    /// The options that make its worktree again.
    again: String,
}

impl Place {
    /// Leaves the tree, and says to the user what is left.
    async fn leave(&mut self) -> Option<LeftTree> {
        let left = self.tree.take()?.leave().await;
        left.notice.iter().for_each(|text| note(text));
        Some(left)
    }
}

/// Opens the session and works in it.
async fn work_on(
    args: &RunArgs,
    data_dir: Option<PathBuf>,
    work: Work,
    place: &mut Place,
    started: Instant,
) -> Result<ExitCode, StartError> {
    let config = args.session.settings(data_dir.clone())?;
    let wrong = |error: Error| StartError::usage(error.to_string());
    let folder =
        workspace(args.session.workspace.as_deref()).map_err(|error| StartError::usage(error.to_string()))?;
    check_unattended(&config, &folder, args.session.agent.tools.set()).map_err(wrong)?;
    let title = work.title().unwrap_or_default().to_owned();
    let job = match work {
        Work::Task(file) => {
            let gates = TaskGates::new(&file, &config, &folder, &args.task_files()).map_err(wrong)?;
            Job::Task { file, gates }
        }
        Work::Prompt(prompt) => Job::Prompt(prompt),
    };
    if args.session.fork && args.session.which() == Which::New {
        return Err(StartError::usage(NOTHING_TO_FORK));
    }
    // Without a model, a new session leaves no data folder.
    let early = match args.session.which() {
        Which::New => Some(noted(SessionModels::connect(&options(args), &config, None).await?, &config)),
        _ => None,
    };
    let options_of_data = StorageOptions { serial: true, ..config.storage() };
    let data = Storage::open_with(data_dir, options_of_data).await?;
    let start = choose(&args.session.choice()?, &data).await?;
    if let Job::Task { file, .. } = &job
        && start == SessionStart::New
        && let Some(session) = unfinished_task(&data, &folder, &file.title).await?
    {
        note(&format!(
            "session {session} has not finished this task; this one begins it again, and --resume {session} would continue it"
        ));
    }
    let models = match early {
        Some(models) => models,
        None => {
            let recorded = recorded_model(&data, &start).await?;
            noted(SessionModels::connect(&options(args), &config, recorded.as_ref()).await?, &config)
        }
    };
    let cancel = CancelFlag::new();
    let report = Arc::new(Report::new(args.headless.output, cancel.clone()));
    let session = RunSession { start, models: &models, title: &title, report: &report };
    let opened = open(args, &config, &data, session).await?;
    report.begin(opened.tally()?);
    run_session(Run { args, data: &data, place, started, report, cancel }, opened, job).await
}

/// Prints what the user should know of the models.
fn noted(models: SessionModels, config: &Config) -> SessionModels {
    models.notices(config).iter().for_each(|text| note(text));
    models
}

/// What a run was started with.
struct Run<'a> {
    args: &'a RunArgs,
    data: &'a Storage,
    place: &'a mut Place,
    started: Instant,
    report: Arc<Report>,
    cancel: CancelFlag,
}

/// Work that can begin.
enum Job {
    Task {
        file: Box<TaskFile>,
        gates: TaskGates,
    },
    /// `None`: continue the turn that was interrupted.
    Prompt(Option<Prompt>),
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
    Prompt(Option<Prompt>),
}

impl Request {
    fn read(args: &RunArgs, data_dir: Option<&PathBuf>) -> Result<Self, StartError> {
        let TreeArgs { branch, worktree, .. } = &args.tree;
        if args.task.is_none() && (*worktree || branch.is_some()) {
            return Err(StartError::usage("--branch and --worktree are for a task; add --task FILE"));
        }
        if let Some(file) = &args.task {
            // A task file is the whole request, so standard input is not read.
            let task = read_task(file).map_err(|error| StartError::usage(error.to_string()))?;
            return Ok(Self::Work(Work::Task(Box::new(task))));
        }
        let continues = args.session.which() != Which::New;
        match prompt::read(args.prompt.as_deref(), continues)? {
            Some(prompt) if slash::is_command(&prompt.asked) => {
                let line = prompt.text();
                match prompt_of(&line, args, data_dir)? {
                    Some(text) => Ok(Self::Work(Work::Prompt(Some(Prompt::of(text))))),
                    None => Ok(Self::Command(line)),
                }
            }
            None if !continues => Err(StartError::usage(
                "there is nothing to do; write a prompt, or continue a session: throughline run -c",
            )),
            prompt => Ok(Self::Work(Work::Prompt(prompt))),
        }
    }
}

/// The message of a slash command that is a prompt; `None`: the line is another command, or unknown.
fn prompt_of(line: &str, args: &RunArgs, data_dir: Option<&PathBuf>) -> Result<Option<String>, StartError> {
    if !slash::is_unknown(line) {
        return Ok(None);
    }
    let config = args.session.settings(data_dir.cloned())?;
    Ok(PromptCommands::of(&config).message(line))
}

impl Work {
    /// The title of a new session.
    fn title(&self) -> Option<&str> {
        match self {
            Self::Task(file) => Some(&file.title),
            Self::Prompt(prompt) => prompt.as_ref().map(|prompt| prompt.asked.as_str()),
        }
    }
}

/// The message of a prompt, with the files that it names.
async fn message(session: &Session, prompt: &Prompt) -> Message {
    let mut message = Message::user(prompt.text());
    if let Some(files) = FileAttacher::of(session) {
        files.attach(&mut message, &prompt.asked).await.iter().for_each(|text| note(text));
    }
    message
}

/// Works in an open session and prints the result.
async fn run_session(run: Run<'_>, mut opened: Session, job: Job) -> Result<ExitCode, StartError> {
    let Run { args, data, place, started, report, cancel } = run;
    if args.headless.output == Output::StreamJson {
        report.object(&opened.object());
    }
    let last_words = {
        let (session, model) = (opened.agent.session().clone(), opened.agent.model().clone());
        let report = Arc::clone(&report);
        move || result::print_interrupted(&report, &session, &model, started)
    };
    let watcher = interrupt::watch(cancel.clone(), last_words);
    let (ending, progress) = match job {
        Job::Prompt(Some(prompt)) => {
            let message = message(&opened, &prompt).await;
            (opened.message_turn(message, report.as_ref(), &cancel).await?, None)
        }
        Job::Prompt(None) => (opened.turn(None, report.as_ref(), &cancel).await?, None),
        Job::Task { file, gates } => {
            let run = TaskRun {
                file: &file,
                gates: &gates,
                observer: report.as_ref(),
                cancel: &cancel,
                max_requests: args.headless.max_turns,
            };
            let outcome = opened.work_on(run).await;
            let progress = outcome.object();
            (outcome.ending, Some(progress))
        }
    };
    let tally = || {
        // A second Ctrl-C ends the program until here, in case closing is slow.
        watcher.abort();
        report.tally()
    };
    let mut result = opened.finish(ending, report.as_ref(), tally).await?;
    let left = place.leave().await;
    let is_removed = left.as_ref().is_some_and(|left| left.is_removed);
    result.task = progress;
    if let Some(Value::Object(progress)) = &mut result.task {
        progress.insert("tree".to_owned(), left.map_or(Value::Null, |left| left.object()));
    }
    let place = if is_removed { std::mem::take(&mut place.again) } else { result::again_there(args) };
    let server = args.session.agent.model.choice().server_options(&result.model.origin());
    let again = Again { data_dir: data_dir_option(data), place: place + &server };
    result::print(&result, args.headless.output, &report, &again, started);
    Ok(ExitCode::from(report.code(exit_code(&result.ending))))
}

/// Prints why there is no model to ask.
pub(crate) fn refuse(error: ConnectError) -> ExitCode {
    StartError::from(error).print_for_person()
}
