//! A task file: turn after turn of one session, until its quality gates pass.

mod asked;
mod deadline;
mod gates;
mod listener;
mod progress;
mod unfinished;

use std::path::Path;

use serde_json::{Value, json};
use throughline_agent::{Agent, EventSink, TurnError, TurnOutcome};
use throughline_completion::StopReason;
use throughline_conversation::{CheckpointReason, Message};
use throughline_stored::{Error, Result, now};
use throughline_task::{
    Progress, Reason, Step, TaskFile, TurnSeen, after_gates, after_turn, begin, out_of_time, stopped,
};
use throughline_text::counted;
use throughline_tools::CancelFlag;

use crate::ending::{RunEnding, answer_text};
use crate::session::Session;
use asked::{note_stopped, replace_unanswered};
use deadline::Deadline;
use listener::Listener;
use progress::{load_progress, save_progress};

pub use gates::TaskGates;
pub use unfinished::unfinished_task;

/// Longest task file in bytes. No window holds more.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Follows a task that runs.
pub trait TaskObserver {
    /// Receives the events of the turns.
    fn sink(&self) -> &dyn EventSink;
    /// Requests that were sent so far.
    fn requests(&self) -> u64;
    /// Something happened between two turns: a line for people, and the object for programs.
    fn between(&self, text: &str, object: &Value);
    /// Receives what the user should know.
    fn notice(&self, text: &str);
}

/// What a task runs with.
#[derive(Clone, Copy)]
pub struct TaskRun<'a> {
    /// The task.
    pub file: &'a TaskFile,
    /// Runs its gates.
    pub gates: &'a TaskGates,
    /// Who follows it.
    pub observer: &'a dyn TaskObserver,
    /// Stops it.
    pub cancel: &'a CancelFlag,
    /// Maximum number of requests of all turns together.
    pub max_requests: Option<u64>,
}

/// How a task ended, and how far it has come.
#[derive(Debug, Clone)]
pub struct TaskOutcome {
    /// How it ended.
    pub ending: RunEnding,
    progress: Progress,
}

/// Reads a task file.
///
/// # Errors
/// [`Error::Usage`] in one line: it cannot be read, is too long, or is no task.
pub fn read_task(path: &Path) -> Result<TaskFile> {
    let shown = path.display();
    let cannot = |error| Error::usage(format!("cannot read the task file {shown}: {error}"));
    let size = std::fs::metadata(path).map_err(cannot)?.len();
    if size > MAX_FILE_BYTES {
        return Err(Error::usage(format!(
            "the task file {shown} has more than {MAX_FILE_BYTES} bytes; name other files in it instead"
        )));
    }
    let text = std::fs::read_to_string(path).map_err(cannot)?;
    TaskFile::parse(&text).map_err(|error| Error::usage(format!("the task file {shown}, {error}")))
}

impl Session {
    /// Works until the task ends, a limit is reached or a turn fails. The progress is saved after each step, so that any run can
    /// be resumed.
    pub async fn work_on(&mut self, run: TaskRun<'_>) -> TaskOutcome {
        let TaskRun { file, observer, cancel, .. } = run;
        let checkpoint = self.checkpoint.take();
        let stored = load_progress(checkpoint.as_ref(), file, observer);
        let mut progress = stored.unwrap_or_else(|| Progress::new(file, now()));
        replace_unanswered(&mut self.agent, &mut progress).await;
        let mut step = begin(file, &mut progress, now());
        let deadline = Deadline::start(progress.time_left(file), cancel.clone());
        let mut answer = LastAnswer::default();
        let ending = loop {
            if !matches!(step, Step::Finished(_)) {
                save_progress(&mut self.agent, &progress, CheckpointReason::TaskStep, observer).await;
            }
            let next = match step {
                Step::Finished(reason) => break ended(&reason, answer),
                Step::Ask { prompt } => {
                    report_iteration(observer, file, &progress);
                    self.begin_turn(observer.sink(), cancel).await;
                    match turn(&mut self.agent, &run, prompt, &mut progress, &mut answer).await {
                        Ok(seen) => Some(after_turn(file, &mut progress, &seen, now())),
                        Err(Some(ending)) => break ending,
                        Err(None) => None,
                    }
                }
                Step::RunGates => {
                    let results = gates::run(file, run.gates, observer, cancel).await;
                    results.map(|results| after_gates(file, &mut progress, &results, now()))
                }
            };
            step = match next {
                Some(step) => step,
                None if deadline.is_over() => Step::Finished(out_of_time(file, &mut progress, now())),
                None => break RunEnding::interrupted(),
            };
        };
        if progress.finished.is_none() {
            stopped(&mut progress, now());
        }
        let reason = match (&progress.finished, ending.kind) {
            (None, RunEnding::INTERRUPTED) | (Some(_), _) => CheckpointReason::Exit,
            (None, _) => CheckpointReason::Failure,
        };
        save_progress(&mut self.agent, &progress, reason, observer).await;
        TaskOutcome { ending, progress }
    }
}

/// The model's last answer.
#[derive(Debug, Default)]
struct LastAnswer {
    text: String,
    stop: Option<String>,
}

/// Runs one iteration. `Err(None)`: cancelled.
async fn turn(
    agent: &mut Agent,
    run: &TaskRun<'_>,
    prompt: String,
    progress: &mut Progress,
    answer: &mut LastAnswer,
) -> std::result::Result<TurnSeen, Option<RunEnding>> {
    let listener = Listener::new(run.observer.sink());
    let used = run.observer.requests();
    agent.limit_requests(run.max_requests.map(|most| most.saturating_sub(used)));
    let outcome = agent.turn(Message::user(prompt), &listener, run.cancel).await;
    let seen = listener.seen();
    match outcome {
        Ok(TurnOutcome { cancelled: true, .. }) => {
            note_stopped(agent.view(), progress, seen.compacted);
            Err(None)
        }
        Ok(outcome) if outcome.stop == StopReason::STOPPED_BY_HOOK => {
            note_stopped(agent.view(), progress, seen.compacted);
            let error = Some("a hook ended the turn; the task is not done".to_owned());
            Err(Some(RunEnding { error, ..RunEnding::answered(outcome) }))
        }
        Ok(TurnOutcome { text, stop, .. }) => {
            *answer = LastAnswer { text, stop: Some(stop.clone()) };
            // Tasks treat both limits alike.
            let stop =
                if stop == StopReason::WINDOW_FULL { StopReason::MaxTokens.name().to_owned() } else { stop };
            Ok(TurnSeen { stop, ..seen })
        }
        Err(error) => {
            note_stopped(agent.view(), progress, seen.compacted);
            let error = match (error, run.max_requests) {
                (TurnError::TooManyRequests(_), Some(most)) => TurnError::TooManyRequests(most),
                (error, _) => error,
            };
            Err(Some(RunEnding::failed(&error)))
        }
    }
}

fn ended(reason: &Reason, answer: LastAnswer) -> RunEnding {
    let error = (*reason != Reason::Done).then(|| reason.to_string());
    RunEnding { text: answer_text(&answer.text), stop: answer.stop, error, ..RunEnding::of(reason.name()) }
}

fn report_iteration(observer: &dyn TaskObserver, file: &TaskFile, progress: &Progress) {
    let Progress { iteration, hat, .. } = progress;
    let (most, left) = (file.max_iterations, progress.remaining().count());
    let items = if progress.items.is_empty() {
        String::new()
    } else {
        format!(", {} left", counted(left as u64, "item"))
    };
    let text = format!("— iteration {iteration} of {most} as {hat}{items}");
    let value =
        json!({"type": "iteration", "iteration": iteration, "most": most, "hat": hat, "remaining": left});
    observer.between(&text, &value);
}

impl TaskOutcome {
    /// The progress, for the result of the run.
    #[must_use]
    pub fn object(&self) -> Value {
        let Self { progress, .. } = self;
        let gates: Vec<Value> = progress
            .gates
            .iter()
            .map(|gate| json!({"name": gate.name, "passed": gate.end.passed(), "end": gate.end}))
            .collect();
        json!({
            "title": progress.title,
            "iterations": progress.iterations(),
            "hat": progress.hat,
            "completed": progress.completed().collect::<Vec<_>>(),
            "remaining": progress.remaining().collect::<Vec<_>>(),
            "gates": gates,
            "spent_ms": progress.spent_ms,
        })
    }
}
