//! What the user wrote while Claude Code worked.
//!
//! Such a request waits in a queue, and the events of the queue are lines of the file. One that the model was given within a
//! turn is an attachment, in some versions no line but those of the queue. One that waited until the turn was over is a
//! message of the user like any other.

use std::collections::HashMap;

use serde_json::Value;
use throughline_conversation::{ContentBlock, Message, Role, has_own_words};

use super::super::content::{get, list, owned, parts, text_of};
use super::speaks;

/// What the user wrote in an attachment. `None`: it is another attachment, or one that the user did not write.
pub(super) fn attached(value: &Value) -> Option<Vec<ContentBlock>> {
    let attachment = value.get("attachment").filter(|_| text_of(value, "type") == Some("attachment"))?;
    let is_prompt = text_of(attachment, "type") == Some("queued_command")
        && text_of(attachment, "commandMode").is_none_or(|mode| mode == "prompt")
        && get(attachment, &["origin", "kind"]).is_none_or(|kind| kind == "human");
    let (content, _) = parts(attachment.get("prompt").filter(|_| is_prompt));
    let is_own = |block: &ContentBlock| !matches!(block, ContentBlock::Text { text } if !is_request(text));
    content.iter().any(is_own).then_some(content)
}

/// What the queue of a file says.
pub(super) struct QueuedRequests {
    /// The requests that are in no line but those of the queue, by the line at which the model got them.
    pub(super) by_place: HashMap<usize, String>,
    /// Requests wait at the end of the file.
    pub(super) is_waiting: bool,
}

impl QueuedRequests {
    pub(super) fn of(values: &[&(usize, Value)]) -> Self {
        let (mut waiting, mut found): (Vec<(usize, String)>, _) = (Vec::new(), HashMap::new());
        for (place, (_, value)) in values.iter().enumerate() {
            let named = said(value);
            let next = || match &named {
                Some(named) => waiting.iter().position(|(_, text)| text == named),
                None => Some(0),
            };
            match text_of(value, "operation").filter(|_| text_of(value, "type") == Some("queue-operation")) {
                Some("enqueue") => {
                    waiting.extend(named.filter(|text| is_request(text)).map(|text| (place, text)));
                }
                // The user has got everything back into the input field.
                Some("popAll") => waiting.clear(),
                Some("dequeue" | "remove") => {
                    let Some(at) = next().filter(|at| *at < waiting.len()) else { continue };
                    let (since, text) = waiting.remove(at);
                    let absorbed = text_of(value, "reason").is_none_or(|why| why == "absorbed_mid_turn");
                    if absorbed && !is_in_lines(values, since, &text) {
                        found.insert(place, text);
                    }
                }
                _ => {}
            }
        }
        let is_waiting = !waiting.is_empty();
        found.extend(waiting.into_iter().filter(|(since, text)| !is_in_lines(values, *since, text)));
        Self { by_place: found, is_waiting }
    }
}

/// What an event of the queue says: a text, or the texts of blocks.
fn said(event: &Value) -> Option<String> {
    let (content, _) = parts(event.get("content"));
    let message = Message { role: Role::User, content };
    Some(message.text()).filter(|text| !text.is_empty())
}

/// Returns true if a text is one that a user asks with: no note of the agent, and no command of its own.
fn is_request(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_command = word.strip_prefix('/').is_some_and(|name| !name.contains(['/', '.']));
    !is_command && has_own_words(text)
}

/// Returns true if a text is in a message or an attachment after this place.
fn is_in_lines(values: &[&(usize, Value)], after: usize, text: &str) -> bool {
    let text = text.trim();
    values.iter().skip(after + 1).any(|(_, value)| match value.get("message") {
        Some(message) if speaks(value) && text_of(value, "type") == Some("user") => {
            owned(message, "content").contains(text)
                || list(message, "content").iter().any(|block| owned(block, "text").contains(text))
        }
        _ => attached(value).is_some_and(|content| {
            content
                .iter()
                .any(|block| matches!(block, ContentBlock::Text { text: said } if said.contains(text)))
        }),
    })
}
