//! Prints the result of a run: one object for programs, lines for people.

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

/// Prints the result in the format that the arguments name. `data_dir` is the option that finds the data folder again.
pub(super) fn print(result: &RunResult, args: &RunArgs, report: &Report, data_dir: &str, started: Instant) {
    match args.headless.output {
        Output::Json | Output::StreamJson => report.object(&result.object(started.elapsed())),
        Output::Text => print_text(result, args, report, data_dir),
    }
}

fn print_text(result: &RunResult, args: &RunArgs, report: &Report, data_dir: &str) {
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
        let workspace = shell_option("--workspace", args.session.workspace.as_deref());
        let task = shell_option("--task", args.task.as_deref());
        note(&format!(
            "session {session} is {saved}; to continue: \
             throughline run{data_dir} --resume {session}{workspace}{task}"
        ));
    }
}
