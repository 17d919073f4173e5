//! The messages of a transcript, and its model.

use std::sync::Arc;

use throughline_conversation::{
    ContentBlock, ExchangeId, ForeignTools, Message, Millis, ModelRecord, Origin, Source, is_inserted_text,
    own_text,
};
use throughline_replay::RecordedSession;
use throughline_stored::now;

use super::WINDOW;
use crate::agent::ForeignAgent;

/// A message of a transcript, with its place.
pub(super) struct Imported {
    pub(super) exchange: ExchangeId,
    pub(super) at: Millis,
    pub(super) source: Source,
    pub(super) message: Message,
}

/// The messages of a transcript in order, as a conversation.
pub(crate) fn transcript_messages(agent: ForeignAgent, recorded: &RecordedSession) -> Vec<Message> {
    messages(agent, recorded).into_iter().map(|imported| imported.message).collect()
}

/// The messages of a transcript in order.
pub(super) fn messages(agent: ForeignAgent, recorded: &RecordedSession) -> Vec<Imported> {
    let model = recorded.model.clone().unwrap_or_else(|| agent.name().to_owned());
    let (mut all, mut at) = (Vec::new(), now());
    if let Some(first) = recorded.steps().find_map(|step| step.asked_at.or(step.answered_at)) {
        at = first;
    }
    for (turn, number) in recorded.turns.iter().zip(1..) {
        let exchange = ExchangeId(number);
        at = turn.steps.first().and_then(|step| step.asked_at).unwrap_or(at);
        let message = without_contexts(&turn.user);
        let after_results = all.last().is_some_and(|last: &Imported| matches!(last.source, Source::Tools));
        let exchange = if message.content.is_empty() && after_results {
            // A compaction in the middle of a turn: nothing but the context came in.
            all.last().map_or(exchange, |last| last.exchange)
        } else {
            let message = if message.content.is_empty() { turn.user.clone() } else { message };
            let inserted = message.texts().all(is_inserted_text) && message.texts().next().is_some();
            let source = if inserted { Source::Engine } else { Source::User };
            all.push(Imported { exchange, at, source, message });
            exchange
        };
        for step in &turn.steps {
            at = step.answered_at.unwrap_or(at);
            let source = Source::Model(model.clone());
            all.push(Imported { exchange, at, source, message: step.assistant.clone() });
            if !step.results.is_empty() {
                let message = Message::results(step.results.iter().cloned());
                all.push(Imported { exchange, at, source: Source::Tools, message });
            }
        }
    }
    if let Some(message) = recorded.open_request.as_ref().map(without_contexts)
        && !message.content.is_empty()
    {
        let exchange = ExchangeId(recorded.turns.len() as u64 + 1);
        all.push(Imported { exchange, at, source: Source::User, message });
    }
    all
}

/// A message without the contexts that were restored. The session has all that they say.
fn without_contexts(message: &Message) -> Message {
    let mut message = message.clone();
    message.content.retain_mut(|block| {
        let ContentBlock::Text { text } = block else { return true };
        let own = own_text(text);
        if own.len() < text.len() {
            *text = own.to_owned();
        }
        !text.is_empty()
    });
    message
}

/// The model of the transcript, so that the same one gets its own thinking and calls back.
pub(super) fn model(agent: ForeignAgent, recorded: &RecordedSession) -> Option<ModelRecord> {
    let origin = Arc::new(Origin::new(agent.provider(), recorded.model.clone()?));
    Some(ModelRecord {
        origin,
        window: WINDOW,
        learnt: Default::default(),
        foreign: ForeignTools::default(),
        thinking_from: None,
    })
}
