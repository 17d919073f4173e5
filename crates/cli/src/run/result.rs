//! Prints the result of a run: one object for programs, lines for people.

use std::path::Path;
use std::time::Instant;

use throughline::ports::{ModelInfo, SessionId};
use throughline_session::{RunEnding, RunResult};
use throughline_terminal::{complain, note};
use throughline_text::{plain, shell_option};

use super::args::{Output, RunArgs};
use super::report::Report;

/// Prints the result of a run that a second signal ends at once, for programs.
pub(super) fn print_interrupted(report: &Report, session: &SessionId, model: &ModelInfo, started: Instant) {
    let result = RunResult {
        ending: RunEnding::interrupted(),
        session: Some(session.clone()),
        model: model.clone(),
        tally: report.tally(),
        task: None,
    };
    if report.is_for_programs() {
        report.object(&result.object(started.elapsed()));
    }
}

/// The options of a run that continues this one.
pub(super) struct Again {
    /// The one that finds the data folder.
    pub(super) data_dir: String,
    /// Those of its task and of the folder where it works.
    pub(super) place: String,
}

/// The options of a run that works where these arguments say.
pub(super) fn again_there(args: &RunArgs) -> String {
    let workspace = shell_option("--workspace", args.session.workspace.as_deref());
    workspace + &shell_option("--task", args.task.as_deref())
}

/// The same, in a worktree that is made again.
pub(super) fn again_in_worktree(args: &RunArgs) -> String {
    let branch = shell_option("--branch", args.tree.branch.as_deref().map(Path::new));
    format!("{}{branch} --worktree", again_there(args))
}

/// Prints the result in this format.
pub(super) fn print(result: &RunResult, output: Output, report: &Report, again: &Again, started: Instant) {
    match output {
        Output::Json | Output::StreamJson => report.object(&result.object(started.elapsed())),
        Output::Text => print_text(result, report, again),
    }
}

fn print_text(result: &RunResult, report: &Report, again: &Again) {
    let RunResult { ending, session, .. } = result;
    if !ending.text.is_empty() && !report.is_live() {
        report.line(&plain(&ending.text));
    }
    if ending.kind == "nothing_to_do"
        && let Some(session) = session
    {
        note(&format!("session {session} has nothing to continue: its last turn is complete"));
    }
    ending.note.iter().for_each(|text| note(text));
    if let Some(error) = &ending.error {
        complain(error);
        let Some(session) = session else {
            return note("no model was asked, so there is no session to continue");
        };
        let saved = if ending.kind == RunEnding::UNSAVED { "saved up to there" } else { "saved" };
        let Again { data_dir, place } = again;
        note(&format!(
            "session {session} is {saved}; to continue: throughline run{data_dir} --resume {session}{place}"
        ));
    }
}
