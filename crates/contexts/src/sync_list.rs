//! A framework that owns its list of messages and hands it over before each call of its model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_conversation::{Message, Role};
use throughline_engine::{Next, Synced};

use crate::cache_points::{CachePoint, cache_points};
use crate::context::OpenContext;
use crate::error::{CallError, ErrorCode};
use crate::listed_items::joined;
use crate::notice::Notice;
use crate::operation::operation;
use crate::references::{Reference, ReferencedRequest, referenced};
use crate::requests::Sends;
use crate::words::{Object, TokenUsage};

/// Takes over the caller's list of messages, and says which of them the next request is made of. The same list again changes
/// nothing. A list that ends with the model's message is taken over, and the error `nothing_to_answer` says so.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyncList {
    /// Messages at the start that are those of the list before; `messages` has only what stands behind them then.
    #[serde(default)]
    pub known: u64,
    /// The list, or its end, in the form of the context's API: its `messages`, `input` or `contents`.
    pub messages: Vec<Object>,
    /// What the provider reported for the model's newest message.
    #[serde(default)]
    pub usage: Option<TokenUsage>,
}

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

operation!(SyncList, "sync", SyncedList, |self, context| {
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

impl SyncList {
    /// Hands the list to the engine. The figures are items of the list.
    async fn take_over(self, context: &mut OpenContext) -> Result<Synced, CallError> {
        let known = usize::try_from(self.known).unwrap_or(usize::MAX);
        let given = self.messages.len();
        let items: Vec<Value> = self.messages.into_iter().map(Value::Object).collect();
        let listed = joined(context.writer.form.wire().listed(&items, known)?);
        let same = if known == 0 { 0 } else { context.messages_before(known)? };
        let (messages, places) = context.items.named(same, listed);
        if known > 0 {
            let first = places.iter().position(|place| !place.is_empty());
            context.check_joint(same, first.and_then(|first| messages.get(first)))?;
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

    /// Checks that the end of a list does not continue the model's message before it. `first`: its first message with content.
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
