//! The list of messages on Anthropic's wire.

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_conversation::{Message, Place, Role};

use super::blocks;
use super::markers::Markers;

/// One message of the wire: consecutive messages of one side.
#[derive(Debug)]
struct WireMessage {
    role: Role,
    content: Vec<Value>,
}

/// The messages, followed by the tail.
pub(super) fn encode(request: &CompletionRequest, markers: &Markers) -> Vec<Value> {
    let mut turns: Vec<WireMessage> = Vec::new();
    for (index, message) in request.transcript.messages().enumerate() {
        add(&mut turns, message.role, content(message, Place::Message(index), markers));
    }
    add(&mut turns, Role::User, request.tail.iter().filter_map(|note| blocks::text(note)).collect());
    turns.into_iter().map(WireMessage::finish).collect()
}

fn content(message: &Message, place: Place, markers: &Markers) -> Vec<Value> {
    let blocks = message.content.iter();
    let mut content: Vec<Value> = blocks.flat_map(|block| blocks::encode(message.role, block)).collect();
    if message.role == Role::User {
        results_first(&mut content);
    } else {
        let kept = content.iter().rposition(|block| !blocks::is_thinking(block)).map_or(0, |last| last + 1);
        content.truncate(kept);
    }
    if let Some(last) = content.last_mut() {
        markers.mark(place, last);
    }
    content
}

fn add(turns: &mut Vec<WireMessage>, role: Role, content: Vec<Value>) {
    if content.is_empty() {
        return;
    }
    match turns.last_mut() {
        Some(turn) if turn.role == role => turn.content.extend(content),
        _ => turns.push(WireMessage { role, content }),
    }
}

/// The API wants the results of a message before all else in it. The sort keeps the order of equals.
fn results_first(content: &mut [Value]) {
    content.sort_by_key(|block| !blocks::is(block, "tool_result"));
}

impl WireMessage {
    fn finish(mut self) -> Value {
        if self.role == Role::User {
            results_first(&mut self.content);
        }
        let role = match self.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        json!({"role": role, "content": self.content})
    }
}
