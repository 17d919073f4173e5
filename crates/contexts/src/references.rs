//! A request in terms of the list that its caller owns.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_completion::CompletionRequest;
use throughline_conversation::Message;
use throughline_engine::MessageRef;
use throughline_wire::ListedForm;

use crate::context::OpenContext;
use crate::listed_items::{ListedPlace, RecordedIds};
use crate::words::Object;

/// A message in the form of the context's API.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it names the schema of messages")]
struct ListedMessage(Object);

/// Messages of a request, in terms of the caller's list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reference {
    /// The messages of the list from one place to before another, unchanged: the caller reuses its own objects.
    Given {
        /// The first place, from 0.
        from: u64,
        /// The place behind the last one.
        to: u64,
    },
    /// These messages of the list with other contents, for example the preview of a large result.
    Changed {
        /// The first place, from 0.
        from: u64,
        /// The place behind the last one.
        to: u64,
        /// What replaces them.
        #[schemars(with = "Vec<ListedMessage>")]
        messages: Vec<Object>,
        /// Their texts, and the contents of their results, in order.
        texts: Vec<String>,
    },
    /// Messages that the engine has made: a summary, a note.
    Made {
        /// The messages.
        #[schemars(with = "Vec<ListedMessage>")]
        messages: Vec<Object>,
        /// Their texts, in order.
        texts: Vec<String>,
    },
}

/// A request in terms of the caller's list.
#[derive(Default)]
pub(crate) struct ReferencedRequest {
    pub(crate) references: Vec<Reference>,
    /// For each message of the request: how many messages of the caller's API come up to its end.
    pub(crate) ends: Vec<u64>,
    /// Messages of the caller's API so far.
    total: u64,
}

impl ReferencedRequest {
    /// Adds items of the list. Neighbours are one reference.
    fn give(&mut self, from: u64, to: u64) {
        match self.references.last_mut() {
            Some(Reference::Given { to: end, .. }) if *end >= from => {
                self.total += to.saturating_sub(*end);
                *end = to.max(*end);
            }
            _ if to > from => {
                self.total += to - from;
                self.references.push(Reference::Given { from, to });
            }
            _ => {}
        }
    }

    /// Adds a message that the engine has made.
    fn make(&mut self, context: &OpenContext, own: Vec<&Message>, request: &CompletionRequest) {
        for message in own {
            let messages = context.writer.items(message.clone(), request);
            self.total += messages.len() as u64;
            self.references.push(Reference::Made { messages, texts: texts(message) });
            self.end(1);
        }
    }

    /// These many messages of the request end here.
    fn end(&mut self, messages: usize) {
        self.ends.extend(std::iter::repeat_n(self.total, messages));
    }
}

/// The references of the next request. Messages that share an item of the list, as results and a text in one message of Anthropic's form, are
/// one reference.
pub(crate) fn referenced(context: &OpenContext, request: &CompletionRequest) -> ReferencedRequest {
    let places = context.items.places();
    let place = |messages: Range<usize>| {
        let from = places.get(messages.start).map_or(0, |place| place.items.start);
        let last = messages.end.checked_sub(1).and_then(|last| places.get(last));
        (from as u64, last.map_or(from, |place| place.items.end) as u64)
    };
    let mut referenced = ReferencedRequest::default();
    // A system prompt at the start is no message, and stays where it is.
    referenced.give(0, places.first().map_or(0, |place| place.items.start) as u64);
    let refs = context.engine.message_refs();
    let range = |one: &MessageRef| match one {
        MessageRef::Given(messages) | MessageRef::Changed(messages) => Some(messages.clone()),
        MessageRef::Made => None,
    };
    let shares = |one: &MessageRef, next: &MessageRef| {
        range(one).zip(range(next)).is_some_and(|(one, next)| place(next).0 < place(one).1)
    };
    let mut sent = request.transcript.messages();
    let mut recorded = RecordedIds::default();
    for group in refs.chunk_by(shares) {
        let own: Vec<&Message> = sent.by_ref().take(group.len()).collect();
        let messages = group.first().and_then(range).zip(group.last().and_then(range));
        let Some(messages) = messages.map(|(first, last)| first.start..last.end) else {
            referenced.make(context, own, request);
            continue;
        };
        let (from, to) = place(messages.clone());
        let listed = context.items.of(&messages);
        recorded.note(&own, listed);
        // What else these items say is in the request no more: a result, for example, whose call was summarized.
        let is_part = group.len() < ListedPlace::recorded(listed);
        let is_changed = is_part || group.iter().any(|one| matches!(one, MessageRef::Changed(..)));
        if is_changed && !is_unchanged(listed) {
            let texts = own.iter().flat_map(|message| texts(message)).collect();
            let own = own.into_iter().cloned().collect();
            let items = context.writer.changed_items(own, listed, &recorded, request);
            referenced.total += items.len() as u64;
            referenced.references.push(Reference::Changed { from, to, messages: items, texts });
        } else {
            referenced.give(from, to);
        }
        referenced.end(group.len());
        let end = context.items.end_with_empty(messages.end);
        if end > messages.end {
            let (from, to) = place(messages.end..end);
            referenced.give(from, to);
        }
    }
    referenced
}

/// Returns true if nothing but the caller's own items can be sent for these messages.
fn is_unchanged(places: &[ListedPlace]) -> bool {
    places.iter().any(|place| place.form == ListedForm::Unchanged)
}

fn texts(message: &Message) -> Vec<String> {
    let results = message.tool_results().map(|result| result.content.clone());
    message.texts().map(str::to_owned).chain(results).collect()
}
