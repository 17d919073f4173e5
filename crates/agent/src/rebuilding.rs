//! STATE made anew from what is in view.

use std::sync::Arc;

use futures_util::StreamExt;
use throughline_completion::{Assembly, CompletionRequest, EventStream, ModelError};
use throughline_continuity::{REBUILD_PROMPT, RebuildInput, State, rebuilt, rebuilt_by_rule};
use throughline_conversation::{DocumentName, DocumentRecord, ModelUse, Source};
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
}

impl Agent {
    /// Makes STATE anew over the whole view: by the model, or by rule when none is asked or it does not answer.
    pub async fn rebuild_state(&mut self, by_model: bool, sink: &dyn EventSink) -> Rebuilt {
        let cancel = CancelFlag::default();
        let wire = Wire { sink, cancel: &cancel };
        let engine = &mut self.engine;
        let told = if by_model { ask(engine, &wire).await } else { None };
        let (state, model) = match told {
            Some(state) => (Some(state), true),
            None => (by_rule(engine), false),
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

/// Asks the model over the very request that its cache has, with one more note at the end.
async fn ask(engine: &mut Engine, wire: &Wire<'_>) -> Option<State> {
    if engine.view.entries().is_empty() {
        return None;
    }
    let (told, used) = answer(engine).await;
    engine.spend(wire, used);
    match told {
        Ok(text) => rebuilt(&text),
        Err(error) => {
            engine.degrade(wire, "state", "STATE is made by rule", &error);
            None
        }
    }
}

/// What the model tells, and what that used.
async fn answer(engine: &Engine) -> (Result<String, ModelError>, ModelUse) {
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
    let stream = match engine.parts.model.stream(&request).await {
        Ok(stream) => stream,
        // It was not taken.
        Err(error) => return (Err(error), used),
    };
    let mut assembly = Assembly::default();
    let end = read(stream, &mut assembly).await;
    match assembly.usage() {
        Some(usage) => used.add(usage),
        None => used.add_unreported(),
    }
    let told = end.and_then(|()| assembly.finish()).map(|(message, _, _)| message.text());
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
