//! A framework that owns its list of messages and hands it over before each call of its model.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_completion::CompletionRequest;
use throughline_conversation::{Message, Role};
use throughline_engine::{MessageRef, Next, Synced};
use throughline_wire::ListedForm;

use crate::cache_points::{CachePoint, cache_points};
use crate::context::OpenContext;
use crate::error::{CallError, ErrorCode};
use crate::listed_items::ListedPlace;
use crate::notice::Notice;
use crate::operation::operation;
use crate::requests::Sends;
use crate::wire_form::WireForm;
use crate::words::{Object, TokenUsage};

/// Takes over the caller's list of messages, and says which of them the next request is made of. The same list again changes
/// nothing. A list that ends with the model's message is taken over, and the error `nothing_to_answer` says so.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sync {
    /// Messages at the start that are those of the list before; `messages` has only what stands behind them then.
    #[serde(default)]
    pub known: u64,
    /// The list, or its end, in the form of the context's API: its `messages`, `input` or `contents`.
    pub messages: Vec<Object>,
    /// What the provider reported for the model's newest message.
    #[serde(default)]
    pub usage: Option<TokenUsage>,
}

/// A message in the form of the context's API.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it names the schema of messages")]
struct ListedMessage(Object);

/// What the next request is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SyncedList {
    /// What the caller sends: a request of these messages, or first the question of `summary`.
    pub send: Sends,
    /// The number of the request or the summary.
    pub id: u64,
    /// The messages of the request, in order.
    pub references: Vec<Reference>,
    /// Where the prompt cache is asked to store a prefix, in the order of the request. Empty where the provider needs no marks.
    pub breakpoints: Vec<CachePoint>,
    /// Notes that belong behind the last message and every breakpoint, for this request alone.
    pub notes: Vec<String>,
    /// The body of the question, where a summary is asked for.
    pub summary: Option<Object>,
    /// Messages at the start of the list that the session had.
    pub known: u64,
    /// Messages that were appended.
    pub appended: u64,
    /// Records that are hidden, because the list does not have their messages any more.
    pub hidden: u64,
    /// What happened since the last request.
    pub notices: Vec<Notice>,
}

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

operation!(Sync, "sync", SyncedList, |self, context| {
    let synced = self.take_over(context).await?;
    if context.engine.view().native().last().is_some_and(|last| last.message.role == Role::Assistant) {
        let message =
            "the list is taken over; its last message is the model's, so there is nothing to answer";
        return Err(CallError::new(ErrorCode::NothingToAnswer, message));
    }
    let next = context.engine.next_request().await?;
    let notices = context.notices.take();
    let Synced { known, appended, hidden } = synced;
    let of = |send, id| SyncedList {
        send,
        id,
        references: Vec::new(),
        breakpoints: Vec::new(),
        notes: Vec::new(),
        summary: None,
        known: known as u64,
        appended: appended as u64,
        hidden: hidden as u64,
        notices,
    };
    Ok(match next {
        Next::Request(next) => {
            let ReferencedRequest { references, ends, .. } = referenced(context, &next.request);
            let breakpoints = cache_points(&next.request.breakpoints, &ends);
            let notes = next.request.tail;
            SyncedList { references, breakpoints, notes, ..of(Sends::Request, next.id.0) }
        }
        Next::Summarize(asked) => {
            let summary = Some(context.writer.side_body(&asked.request));
            SyncedList { summary, ..of(Sends::Summary, asked.id) }
        }
    })
});

impl Sync {
    /// Hands the list to the engine. The figures are items of the list.
    async fn take_over(self, context: &mut OpenContext) -> Result<Synced, CallError> {
        let known = usize::try_from(self.known).unwrap_or(usize::MAX);
        let given = self.messages.len();
        let items: Vec<Value> = self.messages.into_iter().map(Value::Object).collect();
        let listed = context.writer.form.wire().listed(&items, known)?;
        let same = if known == 0 { 0 } else { context.messages_before(known)? };
        let (messages, places) = context.items.named(same, listed);
        if known > 0 && context.writer.form == WireForm::OpenaiResponses {
            context.check_joint(same, messages.first())?;
        }
        if let Some(usage) = self.usage {
            context.engine.note_usage(usage.into());
        }
        let synced = match known {
            0 => context.engine.sync(&messages).await,
            _ => context.engine.sync_tail(same, &messages).await,
        };
        let synced = synced.map_err(|error| match error {
            // The engine counts messages, and the caller the items of its list.
            throughline_engine::EngineError::Message { place, why } => {
                let listed = place.checked_sub(same).and_then(|place| places.get(place));
                let item = listed.map_or(place, |at| at.items.start);
                CallError::from(throughline_engine::EngineError::Message { place: item, why })
            }
            other => other.into(),
        })?;
        if let Some(first) = messages.iter().find(|message| message.role == Role::User) {
            context.note_request(&first.text()).await;
        }
        let before = same + messages.len() - synced.appended.min(messages.len());
        context.items.replace(same, places);
        let appended = match context.items.places().get(before) {
            Some(first) if synced.appended > 0 => known + given - first.items.start,
            _ => 0,
        };
        Ok(Synced { known: known + given - appended, appended, hidden: synced.hidden })
    }
}

impl OpenContext {
    /// How many messages the first items of the list are.
    fn messages_before(&self, known: usize) -> Result<usize, CallError> {
        let places = self.items.places();
        let same = places.partition_point(|place| place.items.end <= known);
        let end = same.checked_sub(1).and_then(|last| places.get(last)).map_or(0, |place| place.items.end);
        if end == known {
            return Ok(same);
        }
        let message = format!("the list before does not end a message at {known}; hand over the whole list");
        Err(CallError::new(ErrorCode::WholeListNeeded, message))
    }

    /// Checks that the end of a list does not continue the model's message before it.
    fn check_joint(&self, same: usize, first: Option<&Message>) -> Result<(), CallError> {
        let continues = first.is_some_and(|first| first.role == Role::Assistant)
            && self.engine.view().native().last().is_some_and(|entry| entry.message.role == Role::Assistant)
            && same == self.items.places().len();
        if !continues {
            return Ok(());
        }
        let message = "the end begins inside of a message of the model; hand over the whole list";
        Err(CallError::new(ErrorCode::WholeListNeeded, message))
    }
}

/// A request in terms of the caller's list.
#[derive(Default)]
struct ReferencedRequest {
    references: Vec<Reference>,
    /// For each message of the request: how many messages of the caller's API come up to its end.
    ends: Vec<u64>,
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
fn referenced(context: &OpenContext, request: &CompletionRequest) -> ReferencedRequest {
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
        MessageRef::Given(messages) | MessageRef::Changed(messages, _) => Some(messages.clone()),
        MessageRef::Made(_) => None,
    };
    let shares = |one: &MessageRef, next: &MessageRef| {
        range(one).zip(range(next)).is_some_and(|(one, next)| place(next).0 < place(one).1)
    };
    let mut sent = request.transcript.messages();
    for group in refs.chunk_by(shares) {
        let own: Vec<&Message> = sent.by_ref().take(group.len()).collect();
        let messages = group.first().and_then(range).zip(group.last().and_then(range));
        let Some(messages) = messages.map(|(first, last)| first.start..last.end) else {
            referenced.make(context, own, request);
            continue;
        };
        let (from, to) = place(messages.clone());
        let is_changed = group.iter().any(|one| matches!(one, MessageRef::Changed(..)));
        if is_changed && !is_unchanged(context.items.of(&messages)) {
            let texts = own.iter().flat_map(|message| texts(message)).collect();
            let own = own.into_iter().cloned().collect();
            let items = context.writer.changed_items(own, context.items.of(&messages), request);
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
