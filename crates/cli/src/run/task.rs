//! A task file: turn after turn of one session, until its quality gates pass.

mod deadline;
mod gates;
mod listener;
mod progress;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use throughline_agent::{Agent, TurnError, TurnOutcome};
use throughline_completion::StopReason;
use throughline_conversation::{CheckpointReason, CheckpointRecord, Message};
use throughline_session::{RunEnding, answer_text};
use throughline_stored::now;
use throughline_task::{
    Progress, Reason, Step, TaskFile, TurnSeen, after_gates, after_turn, begin, out_of_time, stopped,
};
use throughline_tools::{CancelFlag, CommandRunner};

use super::report::Report;
use deadline::Deadline;
use listener::Listener;
use progress::{load_progress, save_progress};

/// Longest task file in bytes. No window holds more.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// What a task runs with.
pub(super) struct TaskContext<'a> {
    pub(super) file: &'a TaskFile,
    pub(super) report: &'a Report,
    pub(super) cancel: &'a CancelFlag,
    /// Runs the gates.
    pub(super) gates: CommandRunner,
    /// Where the gates run.
    pub(super) workspace: &'a Path,
    /// Maximum number of requests of all turns together.
    pub(super) max_turns: Option<u64>,
    /// The checkpoint to continue from.
    pub(super) checkpoint: Option<CheckpointRecord>,
}

/// Reads a task file. The error is one line for the user.
pub(super) fn read(path: &Path) -> Result<TaskFile, String> {
    let shown = path.display();
    let cannot = |error| format!("cannot read the task file {shown}: {error}");
    let size = std::fs::metadata(path).map_err(cannot)?.len();
    if size > MAX_FILE_BYTES {
        return Err(format!(
            "the task file {shown} has more than {MAX_FILE_BYTES} bytes; name other files in it instead"
        ));
    }
    let text = std::fs::read_to_string(path).map_err(cannot)?;
    TaskFile::parse(&text).map_err(|error| format!("the task file {shown}, {error}"))
}

/// The task file of a run, if it has one: the model works on it and does not change it.
pub(super) fn files(named: Option<&Path>) -> Vec<PathBuf> {
    named.into_iter().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.to_owned())).collect()
}

/// Works until the task ends, a limit is reached or a turn fails. The progress is saved after each step, so that any run
/// can be resumed.
pub(super) async fn work(agent: &mut Agent, context: TaskContext<'_>) -> (RunEnding, Progress) {
    let TaskContext { file, report, cancel, .. } = context;
    let stored = load_progress(context.checkpoint.as_ref(), file);
    let mut progress = stored.unwrap_or_else(|| Progress::new(file, now()));
    let mut step = begin(file, &mut progress, now());
    let deadline = Deadline::start(progress.time_left(file), cancel.clone());
    let mut answer = LastAnswer::default();
    let ending = loop {
        if !matches!(step, Step::Finished(_)) {
            save_progress(agent, &progress, CheckpointReason::Interval, report).await;
        }
        let next = match step {
            Step::Finished(reason) => break ended(&reason, answer),
            Step::Ask { prompt } => {
                report_iteration(report, file, &progress);
                match turn(agent, &context, prompt, &mut progress, &mut answer).await {
                    Ok(seen) => Some(after_turn(file, &mut progress, &seen, now())),
                    Err(Some(ending)) => break ending,
                    Err(None) => None,
                }
            }
            Step::RunGates => {
                let results = gates::run(file, &context.gates, context.workspace, report, cancel).await;
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
    save_progress(agent, &progress, reason, report).await;
    (ending, progress)
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
    context: &TaskContext<'_>,
    prompt: String,
    progress: &mut Progress,
    answer: &mut LastAnswer,
) -> Result<TurnSeen, Option<RunEnding>> {
    let listener = Listener::new(context.report);
    let used = context.report.tally().meter.cost().requests;
    agent.limit_requests(context.max_turns.map(|most| most.saturating_sub(used)));
    let outcome = agent.turn(Message::user(prompt), &listener, context.cancel).await;
    let seen = listener.seen();
    match outcome {
        Ok(TurnOutcome { cancelled: true, .. }) => {
            progress.goal_hidden |= seen.compacted;
            Err(None)
        }
        Ok(TurnOutcome { text, stop, .. }) => {
            *answer = LastAnswer { text, stop: Some(stop.clone()) };
            // Tasks treat both limits alike.
            let stop =
                if stop == StopReason::WINDOW_FULL { StopReason::MaxTokens.name().to_owned() } else { stop };
            Ok(TurnSeen { stop, ..seen })
        }
        Err(error) => {
            progress.goal_hidden |= seen.compacted;
            let error = match (error, context.max_turns) {
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

fn report_iteration(report: &Report, file: &TaskFile, progress: &Progress) {
    let Progress { iteration, hat, .. } = progress;
    let (most, left) = (file.max_iterations, progress.remaining().count());
    let items = if progress.items.is_empty() { String::new() } else { format!(", {left} items left") };
    let text = format!("— iteration {iteration} of {most} as {hat}{items}");
    let value =
        json!({"type": "iteration", "iteration": iteration, "most": most, "hat": hat, "remaining": left});
    report.between(&text, &value);
}

/// The progress of a task, for the result. `tree`: where it worked.
pub(super) fn object(progress: &Progress, tree: Option<&Value>) -> Value {
    let gates: Vec<Value> = progress
        .gates
        .iter()
        .map(|gate| json!({"name": gate.name, "passed": gate.end.passed(), "end": gate.end}))
        .collect();
    json!({
        "title": progress.title,
        "iterations": progress.iteration,
        "hat": progress.hat,
        "completed": progress.completed().collect::<Vec<_>>(),
        "remaining": progress.remaining().collect::<Vec<_>>(),
        "gates": gates,
        "spent_ms": progress.spent_ms,
        "tree": tree,
    })
}
