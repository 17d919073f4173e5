//! Rebuilding STATE from the view.

use std::sync::Arc;

use futures_util::StreamExt;
use throughline_completion::{Assembly, CompletionRequest, EventStream, ModelError};
use throughline_conversation::{DocumentName, DocumentRecord, Message, ModelUse, Source, View};
use throughline_documents::{REBUILD_PROMPT, RebuildInput, State, rebuilt, rebuilt_by_rule};
use throughline_ledger::Ledger;
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::event::EventSink;
use crate::frame::RequestFrame;
use crate::session::{Session, documents_tail};
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
        let request = request(&self.session, self.frame());
        let (answer, used) = ask(self.frame(), &request, turn.cancel).await;
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

fn request(session: &Session, frame: RequestFrame<'_>) -> CompletionRequest {
    let mut transcript = session.view.transcript().clone();
    let (system, mut tail) = frame.prefix.place(documents_tail(&session.view));
    let question = REBUILD_PROMPT.trim_end();
    if session.view.violations().is_empty() {
        tail.push(question.to_owned());
    } else {
        // The last message is the model's: the question has to be a message of its own.
        transcript = transcript.followed_by(Message::user(question));
    }
    CompletionRequest {
        model: frame.model.info.name.clone(),
        session: Some(session.id.clone()),
        tools: Arc::clone(&frame.tools.active),
        system,
        transcript,
        tail,
        breakpoints: Vec::new(),
        max_output_tokens: frame.model.settings.max_output_tokens,
    }
}

/// Sends the request. Returns the text of the answer, `None` if it was stopped, and the usage.
async fn ask(
    frame: RequestFrame<'_>,
    request: &CompletionRequest,
    cancel: &CancelFlag,
) -> (Option<Result<String, ModelError>>, ModelUse) {
    let mut used = ModelUse::of(frame.model.origin());
    let opened = tokio::select! {
        biased;
        () = cancel.cancelled() => return (None, used),
        opened = frame.model.model.stream(request) => opened,
    };
    let stream = match opened {
        Ok(stream) => stream,
        // A rejected request used nothing.
        Err(error) => return (Some(Err(error)), used),
    };
    let mut assembly = Assembly::default();
    let end = tokio::select! {
        biased;
        () = cancel.cancelled() => None,
        end = read(stream, &mut assembly) => Some(end),
    };
    match assembly.usage() {
        Some(usage) => used.add(usage),
        None => used.add_unreported(),
    }
    let text = end.map(|end| end.and_then(|()| assembly.finish()).map(|(message, _, _)| message.text()));
    (text, used)
}

async fn read(mut stream: EventStream, assembly: &mut Assembly) -> Result<(), ModelError> {
    while let Some(event) = stream.next().await {
        assembly.push(event?);
    }
    Ok(())
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
