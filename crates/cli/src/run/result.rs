//! The result of a run: one object for programs, lines for people.

use std::time::Instant;

use serde_json::{Value, json};
use throughline_completion::ModelInfo;
use throughline_conversation::SessionId;

use super::args::{Output, RunArgs};
use super::ending::{Ending, UNSAVED, interrupted};
use super::report::Report;
use super::tally::Tally;
use crate::shell::option;
use crate::terminal::{complain, note, plain};

/// How a run ended, and what it used.
#[derive(Debug)]
pub(super) struct RunResult<'a> {
    pub(super) ending: &'a Ending,
    /// `None`: it was not kept, because no model was asked.
    pub(super) session: Option<&'a SessionId>,
    /// The model that answered last.
    pub(super) model: &'a ModelInfo,
    pub(super) tally: &'a Tally,
    /// The progress of a task.
    pub(super) task: Option<Value>,
}

/// Prints the result of a run that a second signal ends at once, for programs.
pub(super) fn print_interrupted(report: &Report, session: &SessionId, model: &ModelInfo, started: Instant) {
    let (ending, tally) = (interrupted(), report.tally());
    let result = RunResult { ending: &ending, session: Some(session), model, tally: &tally, task: None };
    if report.is_for_programs() {
        report.object(&result.object(started));
    }
}

impl RunResult<'_> {
    /// Prints the result in the format that the arguments name. `data_dir` is the option that finds the data folder again.
    pub(super) fn print(&self, args: &RunArgs, report: &Report, data_dir: &str, started: Instant) {
        match args.headless.output {
            Output::Json | Output::StreamJson => report.object(&self.object(started)),
            Output::Text => self.print_text(args, report, data_dir),
        }
    }

    fn object(&self, started: Instant) -> Value {
        let Self { ending, model, .. } = self;
        let cost = self.tally.meter.cost();
        let mut object = json!({
            "type": "result",
            "outcome": ending.kind,
            "is_error": ending.error.is_some(),
            "text": ending.text,
            "error": ending.error,
            "note": ending.note,
            "stop": ending.stop,
            "session": self.session,
            "provider": model.provider,
            "model": model.name,
            "requests": cost.requests,
            "side_requests": cost.side_requests,
            "compactions": self.tally.compactions,
            "usage": cost.usage,
            "unreported": cost.unreported,
            "cost_usd": cost.dollars().exact(),
            "cost_usd_at_least": cost.dollars().at_least(),
            "duration_ms": millis(started),
        });
        if let (Some(task), Some(fields)) = (&self.task, object.as_object_mut()) {
            fields.insert("task".to_owned(), task.clone());
        }
        object
    }

    fn print_text(&self, args: &RunArgs, report: &Report, data_dir: &str) {
        let Self { ending, session, .. } = self;
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
            let saved = if ending.kind == UNSAVED { "saved up to there" } else { "saved" };
            let workspace = option("--workspace", args.session.workspace.as_deref());
            let task = option("--task", args.task.as_deref());
            note(&format!(
                "session {session} is {saved}; to continue: \
                 throughline run{data_dir} --resume {session}{workspace}{task}"
            ));
        }
    }
}

/// Milliseconds since then.
pub(super) fn millis(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}
