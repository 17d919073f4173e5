//! Rebuilding STATE from the view.

use throughline_conversation::{DocumentName, DocumentRecord, Purpose, Source, View};
use throughline_documents::{REBUILD_PROMPT, RebuildInput, State, rebuilt, rebuilt_by_rule};
use throughline_ledger::Ledger;
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::event::EventSink;
use crate::side_request::{ask, side_request};
use crate::turn_context::TurnContext;

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

impl Agent {
    /// Rebuilds STATE over the whole view: by the model, or by rule if `by_model` is false or the model does not answer. It
    /// can be stopped while the model answers.
    pub async fn rebuild_state(
        &mut self,
        by_model: bool,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Rebuilt {
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        let answer = if by_model { self.ask_for_state(&turn).await } else { StateAnswer::Unusable };
        let session = &mut self.session;
        let (state, by) = match answer {
            StateAnswer::State(state) => (Some(state), self.model.source()),
            StateAnswer::Unusable => (by_rule(&session.view), Source::Engine),
            StateAnswer::Stopped => {
                session.flush(&turn).await;
                return Rebuilt::Stopped;
            }
        };
        let Some(text) = state.map(|state| state.text).filter(|text| !text.trim().is_empty()) else {
            return Rebuilt::Unchanged;
        };
        let by_rule = by == Source::Engine;
        let record = DocumentRecord { name: DocumentName::State, text: text.clone(), by };
        session.leave_hidden_group();
        session.write_document(&turn, record);
        session.flush(&turn).await;
        if by_rule { Rebuilt::ByRule(text) } else { Rebuilt::ByModel(text) }
    }

    /// Asks the model behind the request that its cache has.
    async fn ask_for_state(&mut self, turn: &TurnContext<'_>) -> StateAnswer {
        if self.session.view.entries().is_empty() {
            return StateAnswer::Unusable;
        }
        let request = side_request(&self.session, self.frame(), REBUILD_PROMPT.trim_end());
        let (answer, used) = ask(self.frame(), &request, Purpose::State, turn).await;
        // From here on the transcript must have one owner again, or the next append copies all of it.
        drop(request);
        self.session.record_usage(turn, used);
        match answer {
            Some(Ok(text)) => rebuilt(&text).map_or(StateAnswer::Unusable, StateAnswer::State),
            Some(Err(error)) => {
                self.session.degrade(turn, "state", "STATE is made by rule", &error);
                StateAnswer::Unusable
            }
            None => StateAnswer::Stopped,
        }
    }
}

/// Outcome of asking the model.
enum StateAnswer {
    State(State),
    Unusable,
    Stopped,
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
