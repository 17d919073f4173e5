//! The messages of a transcript, and its model.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use throughline_conversation::{
    ContentBlock, ExchangeId, ForeignRequest, ForeignTools, Message, Millis, ModelRecord, Origin, Source,
    Usage, is_inserted_text, own_text,
};
use throughline_replay::{RecordedSession, RecordedStep};
use throughline_stored::now;

use crate::agent::TranscriptOrigin;
use crate::assumed_window::WINDOW;

/// A message of a transcript, with its place.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(super) exchange: ExchangeId,
    pub(super) at: Millis,
    pub(super) source: Source,
    pub(crate) message: Message,
    /// What the provider reported for it.
    pub(super) usage: Option<Usage>,
    /// The model that answered, where the transcript names it.
    pub(super) model: Option<String>,
    /// Its provider, where the transcript names it.
    pub(super) provider: Option<String>,
    /// What the transcript says of the request for it; `None`: no model wrote it.
    pub(super) request: Option<ForeignRequest>,
}

impl Imported {
    /// The turn that it is in.
    pub(crate) fn exchange(&self) -> ExchangeId {
        self.exchange
    }

    /// A message that no model wrote.
    fn new(exchange: ExchangeId, at: Millis, source: Source, message: Message) -> Self {
        Self { exchange, at, source, message, usage: None, model: None, provider: None, request: None }
    }
}

/// What a part of a transcript continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConversationEnd {
    exchange: ExchangeId,
    at: Millis,
    source: Source,
    /// The model that answered last.
    model: String,
}

impl ConversationEnd {
    /// That of these messages. `None`: there are none.
    pub(crate) fn of(
        origin: TranscriptOrigin,
        recorded: &RecordedSession,
        messages: &[Imported],
    ) -> Option<Self> {
        let Imported { exchange, at, source, .. } = messages.last()?;
        Some(Self {
            exchange: *exchange,
            at: *at,
            source: source.clone(),
            model: last_model(messages).map_or_else(|| model_name(origin, recorded), str::to_owned),
        })
    }

    /// The model that answered last.
    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    /// The same behind these messages, which continue it.
    pub(crate) fn behind(self, messages: &[Imported]) -> Self {
        match messages.last() {
            Some(Imported { exchange, at, source, .. }) => Self {
                exchange: *exchange,
                at: *at,
                source: source.clone(),
                model: last_model(messages).map_or(self.model, str::to_owned),
            },
            None => self,
        }
    }
}

fn last_model(messages: &[Imported]) -> Option<&str> {
    messages.iter().rev().find_map(|message| message.model.as_deref())
}

/// The name by which messages are recorded whose model the transcript does not name.
fn model_name(origin: TranscriptOrigin, recorded: &RecordedSession) -> String {
    recorded.model.clone().unwrap_or_else(|| origin.name().to_owned())
}

/// The messages of a transcript in order.
pub(crate) fn messages(origin: TranscriptOrigin, recorded: &RecordedSession) -> Vec<Imported> {
    let first = recorded.steps().find_map(|step| step.asked_at.or(step.answered_at));
    let made =
        MadeMessages { model: model_name(origin, recorded), at: first.unwrap_or_else(now), all: Vec::new() };
    made.with_turns(recorded, ExchangeId(0))
}

/// The messages of a part of a transcript, of which the first turn may continue the one before. `None`: the part changes the
/// last message before it.
pub(crate) fn messages_behind(end: &ConversationEnd, part: &RecordedSession) -> Option<Vec<Imported>> {
    let first = part.turns.first().map(|turn| &turn.user).or(part.open_request.as_ref());
    let Some(first) = first.map(without_contexts) else { return Some(Vec::new()) };
    let is_same_turn = first.content.is_empty();
    let fits = match end.source {
        Source::User => is_same_turn,
        Source::Model(_) => !is_same_turn,
        Source::Tools => true,
        Source::Engine => false,
    };
    if !fits {
        return None;
    }
    // Where the message came from counts as if it were a tool: what follows is in the same turn.
    let before = Imported::new(end.exchange, end.at, Source::Tools, Message::results([]));
    let made = MadeMessages { model: end.model.clone(), at: end.at, all: vec![before] };
    Some(made.with_turns(part, end.exchange).split_off(1))
}

/// The messages so far.
struct MadeMessages {
    model: String,
    at: Millis,
    all: Vec<Imported>,
}

impl MadeMessages {
    /// Adds the turns. The first that begins with the user has the number behind `before`.
    fn with_turns(mut self, recorded: &RecordedSession, mut before: ExchangeId) -> Vec<Imported> {
        for turn in &recorded.turns {
            self.at = turn.steps.first().and_then(|step| step.asked_at).unwrap_or(self.at);
            let exchange = self.begin_turn(&turn.user, ExchangeId(before.0 + 1));
            before = exchange;
            let mut steps = turn.steps.iter().peekable();
            while let Some(step) = steps.next() {
                self.at = step.answered_at.unwrap_or(self.at);
                self.push_answer(exchange, step, recorded.model.as_ref());
                if !step.results.is_empty() {
                    // The next request was sent with them.
                    self.at = steps.peek().and_then(|next| next.asked_at).unwrap_or(self.at);
                    self.push(exchange, Source::Tools, Message::results(step.results.iter().cloned()));
                }
            }
        }
        if let Some(message) = recorded.open_request.as_ref().map(without_contexts)
            && !message.content.is_empty()
        {
            self.begin_turn(&message, ExchangeId(before.0 + 1));
        }
        self.all
    }

    /// Adds the message that a turn of the recording begins with. Returns the turn's number: what was inserted, such as a context, is
    /// in the turn before.
    fn begin_turn(&mut self, said: &Message, next: ExchangeId) -> ExchangeId {
        let message = without_contexts(said);
        let is_bare = message.content.is_empty();
        let message = if is_bare { said.clone() } else { message };
        let source = user_source(&message);
        let last = self.all.last().filter(|_| is_bare || matches!(source, Source::Engine));
        let exchange = last.map_or(next, |last| last.exchange);
        // A compaction between a result and the next answer leaves no message.
        if !(is_bare && last.is_some_and(|last| matches!(last.source, Source::Tools))) {
            self.push(exchange, source, message);
        }
        exchange
    }

    fn push_answer(&mut self, exchange: ExchangeId, step: &RecordedStep, usual: Option<&String>) {
        let model = step.request.model.as_ref().or(usual);
        let source = Source::Model(model.unwrap_or(&self.model).clone());
        self.all.push(Imported {
            usage: step.usage,
            model: model.cloned(),
            provider: step.request.provider.clone(),
            request: Some(ForeignRequest { asked_at: step.asked_at, facts: step.request.clone() }),
            ..Imported::new(exchange, self.at, source, step.assistant.clone())
        });
    }

    fn push(&mut self, exchange: ExchangeId, source: Source, message: Message) {
        self.all.push(Imported::new(exchange, self.at, source, message));
    }
}

/// The author of a message that begins a turn: what can only have been inserted is not the user's.
fn user_source(message: &Message) -> Source {
    let inserted = message.texts().all(is_inserted_text) && message.texts().next().is_some();
    if inserted { Source::Engine } else { Source::User }
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

/// A model of the transcript, so that the same one gets its own thinking and calls back.
pub(super) fn model_record(origin: TranscriptOrigin, provider: Option<&str>, model: &str) -> ModelRecord {
    ModelRecord {
        origin: Arc::new(Origin::new(provider.unwrap_or(origin.provider()), model)),
        window: WINDOW,
        learnt: Default::default(),
        foreign: ForeignTools::default(),
        thinking_from: None,
        thinking: None,
    }
}
