//! Shows searches that the provider runs like calls of tools.

use std::collections::BTreeSet;

use serde_json::json;
use throughline_completion::{AnswerDetail, CompletionEvent};
use throughline_conversation::{SearchOutcome, WEB_SEARCH, WebSearch};
use throughline_engine::{Event, TurnContext};

/// The searches of one answer that have begun and not ended.
#[derive(Debug, Default)]
pub(super) struct ShownSearches {
    running: BTreeSet<String>,
}

impl ShownSearches {
    /// Shows a search that begins or ends.
    pub(super) fn show(&mut self, turn: &TurnContext<'_>, event: &CompletionEvent) {
        let CompletionEvent::Detail(AnswerDetail::Search(search)) = event else { return };
        let ends = search.outcome != SearchOutcome::Running;
        // Without a query the answer before has begun it.
        let has_begun = self.running.contains(&search.id) || ends && search.query.is_empty();
        if !has_begun {
            self.running.insert(search.id.clone());
            turn.sink.emit(Event::ToolStarted {
                call_id: search.id.clone(),
                name: WEB_SEARCH.to_owned(),
                input: json!({ "query": search.query }),
            });
        }
        if ends {
            self.running.remove(&search.id);
            finish(turn, search.clone());
        }
    }

    /// The answer has no end, and neither have these.
    pub(super) fn end(&mut self, turn: &TurnContext<'_>, why: &str) {
        for id in std::mem::take(&mut self.running) {
            let outcome = SearchOutcome::Failed(why.to_owned());
            finish(turn, WebSearch { id, query: String::new(), outcome });
        }
    }
}

fn finish(turn: &TurnContext<'_>, search: WebSearch) {
    let output = search.summary();
    turn.sink.emit(Event::ToolFinished {
        call_id: search.id,
        name: WEB_SEARCH.to_owned(),
        bytes: output.len() as u64,
        is_error: matches!(search.outcome, SearchOutcome::Failed(_)),
        output,
        offloaded: None,
    });
}
