//! STATE made anew from what is in view.

use std::sync::Arc;

use futures_util::StreamExt;
use throughline_completion::{Assembly, CompletionRequest, EventStream, ModelError};
use throughline_conversation::{DocumentName, DocumentRecord, ModelUse, Source};
use throughline_documents::{REBUILD_PROMPT, RebuildInput, State, rebuilt, rebuilt_by_rule};
use throughline_ledger::Ledger;
use throughline_tools::CancelFlag;

use crate::engine::{Engine, Wire};
use crate::keeping::Keeping;
use crate::{Agent, EventSink};

/// How STATE was made anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rebuilt {
    /// By the model.
    ByModel(String),
    /// From the messages, by rule.
    ByRule(String),
    /// It stays as it was: nothing new is known.
    Kept,
    /// It stays as it was: the user stopped it.
    Stopped,
}

impl Agent {
    /// Makes STATE anew over the whole view: by the model, or by rule when none is asked or it does not answer. Nobody can
    /// stop it; see [`Agent::rebuild_state_with`].
    pub async fn rebuild_state(&mut self, by_model: bool, sink: &dyn EventSink) -> Rebuilt {
        self.rebuild_state_with(by_model, sink, &CancelFlag::default()).await
    }

    /// Makes STATE anew over the whole view: by the model, or by rule when none is asked or it does not answer. It can be
    /// stopped while the model answers.
    pub async fn rebuild_state_with(
        &mut self,
        by_model: bool,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Rebuilt {
        let wire = Wire { sink, cancel };
        let engine = &mut self.engine;
        let told = if by_model { ask(engine, &wire).await } else { Told::Nothing };
        let (state, model) = match told {
            Told::State(state) => (Some(state), true),
            Told::Nothing => (by_rule(engine), false),
            Told::Stopped => {
                engine.flush(&wire).await;
                return Rebuilt::Stopped;
            }
        };
        let Some(text) = state.map(|state| state.text).filter(|text| !text.trim().is_empty()) else {
            return Rebuilt::Kept;
        };
        let by = if model { engine.by_model() } else { Source::Engine };
        let record = DocumentRecord { name: DocumentName::State, text: text.clone(), by };
        engine.leave_hidden_group();
        engine.write_document(&wire, record);
        engine.flush(&wire).await;
        if model { Rebuilt::ByModel(text) } else { Rebuilt::ByRule(text) }
    }
}

/// What asking the model has come to.
enum Told {
    State(State),
    Nothing,
    Stopped,
}

/// Asks the model over the very request that its cache has, with one more note at the end.
async fn ask(engine: &mut Engine, wire: &Wire<'_>) -> Told {
    if engine.view.entries().is_empty() {
        return Told::Nothing;
    }
    let (told, used) = answer(engine, wire.cancel).await;
    engine.spend(wire, used);
    match told {
        Some(Ok(text)) => rebuilt(&text).map_or(Told::Nothing, Told::State),
        Some(Err(error)) => {
            engine.degrade(wire, "state", "STATE is made by rule", &error);
            Told::Nothing
        }
        None => Told::Stopped,
    }
}

/// What the model tells, `None` when it was stopped, and what that used.
async fn answer(engine: &Engine, cancel: &CancelFlag) -> (Option<Result<String, ModelError>>, ModelUse) {
    let mut transcript = engine.view.transcript().clone();
    let mut tail = Keeping::note(engine.view.documents());
    if engine.view.violations().is_empty() {
        tail.push(REBUILD_PROMPT.trim_end().to_owned());
    } else {
        // The last word was the model's: the question has to be a message of its own.
        transcript =
            transcript.followed_by(throughline_conversation::Message::user(REBUILD_PROMPT.trim_end()));
    }
    let request = CompletionRequest {
        model: engine.parts.info.name.clone(),
        session: Some(engine.parts.session.clone()),
        tools: Arc::clone(&engine.tools),
        system: Arc::clone(&engine.system),
        transcript,
        tail,
        breakpoints: Vec::new(),
        max_output_tokens: engine.parts.settings.max_output_tokens,
    };
    let mut used = ModelUse::of(engine.origin());
    let opened = tokio::select! {
        biased;
        () = cancel.cancelled() => return (None, used),
        opened = engine.parts.model.stream(&request) => opened,
    };
    let stream = match opened {
        Ok(stream) => stream,
        // It was not taken.
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
    let told = end.map(|end| end.and_then(|()| assembly.finish()).map(|(message, _, _)| message.text()));
    (told, used)
}

async fn read(mut stream: EventStream, assembly: &mut Assembly) -> Result<(), ModelError> {
    while let Some(event) = stream.next().await {
        assembly.push(event?);
    }
    Ok(())
}

fn by_rule(engine: &Engine) -> Option<State> {
    let documents = engine.view.documents();
    let old = State::parse(documents.text(DocumentName::State));
    let ledger = Ledger::of(engine.view.entries());
    rebuilt_by_rule(&RebuildInput {
        entries: engine.view.entries(),
        old: old.as_ref(),
        scratchpad: documents.text(DocumentName::Scratchpad),
        ledger: Some(&ledger),
    })
}
