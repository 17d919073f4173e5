//! Whether the model has answered in the newest iteration of a task, by what the session shows.

use throughline_agent::{Agent, NullSink};
use throughline_conversation::{EntryKind, ExchangeId, View};
use throughline_groups::Change;
use throughline_task::{Progress, asks_for};

/// The turn of an iteration that has no answer; `None`: it has one, or it is not shown any more.
fn unanswered(view: &View, progress: &Progress) -> Option<ExchangeId> {
    let mut entries = view.entries().iter().rev();
    let asked = entries
        .find(|entry| entry.kind == EntryKind::User && asks_for(progress, &entry.message.text()))?
        .exchange;
    let answered =
        view.entries().iter().any(|entry| entry.exchange == asked && entry.kind == EntryKind::Assistant);
    (!answered).then_some(asked)
}

/// Notes the answer of a turn that did not come to its end, if there is one. `compacted`: the context was compacted in the turn.
pub(super) fn note_stopped(view: &View, progress: &mut Progress, compacted: bool) {
    if unanswered(view, progress).is_some() {
        progress.goal_hidden |= compacted;
    } else {
        progress.note_answer(compacted);
    }
}

/// Before the newest iteration is asked again: hides its message without an answer, which the next one replaces. A process that was
/// killed may have recorded an answer that the progress does not know.
pub(super) async fn replace_unanswered(agent: &mut Agent, progress: &mut Progress) {
    if progress.answered {
        return;
    }
    match unanswered(agent.view(), progress) {
        // If it cannot be hidden, the model reads the message twice.
        Some(exchange) => drop(agent.change(Change::Drop(exchange), &NullSink).await),
        None => progress.note_answer(false),
    }
}
