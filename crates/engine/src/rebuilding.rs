//! Rebuilding STATE from the view.

use throughline_completion::CompletionRequest;
use throughline_conversation::{DocumentName, DocumentRecord, Source, View};
use throughline_documents::{REBUILD_PROMPT, RebuildInput, State, rebuilt, rebuilt_by_rule};
use throughline_ledger::Ledger;

use crate::engine::ContextEngine;
use crate::operation::Operation;
use crate::state::EngineState;

/// How STATE was rebuilt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuilt {
    /// By the model.
    ByModel(String),
    /// From the messages, without a model.
    ByRule(String),
    /// Not changed: nothing new is known.
    Unchanged,
    /// Not changed: the user stopped it.
    Stopped,
}

/// The answer of a model that was asked for STATE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateAnswer {
    /// What it wrote.
    Text(String),
    /// It was not asked, or gave none: STATE is made from the messages.
    Missing,
}

impl Operation<'_> {
    /// Rebuilds STATE over the whole view from the model's answer to [`state_request`](ContextEngine::state_request), or by rule
    /// if no answer can be used.
    pub async fn rebuild_state(&mut self, answer: StateAnswer) -> Rebuilt {
        let Operation { engine, turn } = self;
        let EngineState { session, model, .. } = &mut engine.state;
        let by_model = match &answer {
            StateAnswer::Text(text) => rebuilt(text),
            StateAnswer::Missing => None,
        };
        let (state, by) = match by_model {
            Some(state) => (Some(state), model.source()),
            None => (by_rule(session.view()), Source::Engine),
        };
        let Some(text) = state.map(|state| state.text).filter(|text| !text.trim().is_empty()) else {
            return Rebuilt::Unchanged;
        };
        let by_rule = by == Source::Engine;
        let record = DocumentRecord { name: DocumentName::State, text: text.clone(), by };
        session.write_document(turn, record);
        session.flush(turn).await;
        if by_rule { Rebuilt::ByRule(text) } else { Rebuilt::ByModel(text) }
    }

    /// Reports that a model failed to write STATE, which is then made by rule.
    pub fn state_failed(&mut self, error: &dyn std::error::Error) {
        self.engine.state.session.degrade(&self.turn, "state", "STATE is made by rule", error);
    }
}

impl ContextEngine {
    /// The question for STATE behind the request that the model's cache has; `None`: there is no message yet.
    #[must_use]
    pub fn state_request(&self) -> Option<CompletionRequest> {
        (!self.state.session.view().entries().is_empty())
            .then(|| self.side_request(REBUILD_PROMPT.trim_end()))
    }
}

fn by_rule(view: &View) -> Option<State> {
    let documents = view.documents();
    let old = State::parse(documents.text(DocumentName::State));
    let ledger = Ledger::of(view.entries());
    rebuilt_by_rule(&RebuildInput {
        entries: view.entries(),
        old: old.as_ref(),
        scratchpad: documents.text(DocumentName::Scratchpad),
        ledger: Some(&ledger),
    })
}
