//! Saying how a run ended.

use serde_json::Value;
use throughline_conversation::SessionId;

use super::args::{Output, RunArgs};
use super::ending::{Ending, UNSAVED};
use super::report::Report;
use crate::shell::option;
use crate::terminal::{complain, note, plain};

/// Says how the run ended, in the format that was asked for.
pub(super) fn tell(
    args: &RunArgs,
    report: &Report,
    ending: &Ending,
    session: &SessionId,
    data_dir: &str,
    told: &Value,
) {
    match args.headless.output {
        Output::Json | Output::StreamJson => report.object(told),
        Output::Text => {
            if !ending.text.is_empty() && !report.is_live() {
                report.line(&plain(&ending.text));
            }
            if ending.kind == "nothing_to_do" {
                note(&format!("session {session} has nothing to go on with; its last word was the model's"));
            }
            ending.note.iter().for_each(|text| note(text));
            if let Some(error) = &ending.error {
                complain(error);
                let kept = if ending.kind == UNSAVED { "what came before" } else { "everything" };
                let workspace = option("--workspace", args.session.workspace.as_deref());
                let task = option("--task", args.task.as_deref());
                note(&format!(
                    "session {session} keeps {kept}; go on with: \
                     throughline run{data_dir} --resume {session}{workspace}{task}"
                ));
            }
        }
    }
}
