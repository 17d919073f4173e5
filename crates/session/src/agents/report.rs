//! What the model that started a sub-agent gets of its end.

use throughline_conversation::SessionId;
use throughline_text::{counted, first_chars};
use throughline_tools::ToolOutput;

use super::background_agent::UNFINISHED;
use super::events::{AgentDeeds, AgentUse};
use crate::ending::{RunEnding, answer_text};

/// Characters of an answer that was not completed.
const MAX_SAID: usize = 4_000;

/// How the line of figures begins, behind a report.
pub(super) const FIGURES: &str = "[sub-agent ";

/// How a turn without an answer is continued, for the model.
pub(super) const CONTINUE: &str = "\nThe same call of agent continues it.";

/// The report: the answer, or why it is missing and what was done before.
pub(super) fn of(
    kind: &str,
    session: &SessionId,
    ending: &RunEnding,
    used: &AgentUse,
    deeds: &AgentDeeds,
) -> ToolOutput {
    let tokens: u64 = used.models.iter().map(|used| used.usage.prompt() + used.usage.output).sum();
    let facts = format!(
        "{FIGURES}{kind}, session {session}: {}, {}, {}]",
        counted(used.requests, "request"),
        counted(used.calls, "call"),
        counted(tokens, "token")
    );
    let text = ending.text.trim();
    match unfinished(ending) {
        None => ToolOutput::text(format!("{text}\n{facts}")),
        Some(why) => {
            // Only a turn without an answer is continued.
            let next = match ending.stop.as_deref() {
                None | Some("cancelled") => CONTINUE,
                Some(_) => "",
            };
            ToolOutput::error(format!("{UNFINISHED}{why}.{}{next}\n{facts}", deeds_text(text, deeds)))
        }
    }
}

/// Why an ending is no end of the task; `None`: it is one, with a report.
fn unfinished(ending: &RunEnding) -> Option<&str> {
    match &ending.error {
        Some(why) => Some(why),
        None if ending.kind == RunEnding::STOPPED_BY_HOOK => Some("a hook ended its turn"),
        None if ending.text.trim().is_empty() => Some("it ended its turn without a report"),
        None => None,
    }
}

/// What a sub-agent did that has not ended its task: its answer, or what it said last, and its last calls. Empty: nothing.
pub(super) fn deeds_text(answer: &str, deeds: &AgentDeeds) -> String {
    let said = if answer.is_empty() { answer_text(&deeds.said) } else { answer.to_owned() };
    let mut text = String::new();
    if !said.trim().is_empty() {
        text.push_str(&format!("\nIts answer so far:\n{}", first_chars(said.trim(), MAX_SAID)));
    }
    if !deeds.last_calls.is_empty() {
        text.push_str(&format!("\nIts last calls, whose effects stay:\n- {}", deeds.last_calls.join("\n- ")));
    }
    text
}
