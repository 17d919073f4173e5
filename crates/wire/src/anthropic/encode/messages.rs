//! The list of messages on Anthropic's wire.

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_completion::items_text;
use throughline_conversation::{ContentBlock, Message, Place, Role, is_continue_note};

use super::markers::Markers;
use super::{blocks, pairs};
use crate::anthropic::citations;

/// One message of the wire: consecutive messages of one side.
#[derive(Debug)]
pub(super) struct WireMessage {
    pub(super) role: Role,
    pub(super) content: Vec<Value>,
}

/// The messages, followed by the tail. `unsigned`: thinking is sent back without a signature, too.
pub(super) fn encode(request: &CompletionRequest, markers: &Markers, unsigned: bool) -> Vec<Value> {
    let mut turns: Vec<WireMessage> = Vec::new();
    let mut messages = request.transcript.messages().enumerate().peekable();
    while let Some((index, message)) = messages.next() {
        let said = turns.last().filter(|turn| turn.role == Role::Assistant);
        let waits = said.is_some_and(|turn| pairs::has_open_call(&turn.content));
        let continues = messages.peek().is_none_or(|(_, next)| next.role == Role::Assistant);
        if waits && continues && is_continue_note(message) {
            // The provider continues from the model's own message.
            continue;
        }
        add(&mut turns, message.role, content(message, Place::Message(index), markers, unsigned));
    }
    // A note would end the turn that the provider is to continue.
    if !pairs::is_continued(&turns) {
        add(&mut turns, Role::User, request.tail.iter().filter_map(|note| blocks::text(note)).collect());
    }
    pairs::settle(&mut turns);
    let mut settled: Vec<WireMessage> = Vec::new();
    for WireMessage { role, mut content } in turns {
        end_with_content(role, &mut content);
        add(&mut settled, role, content);
    }
    settled.into_iter().map(WireMessage::finish).collect()
}

/// Removes thinking at the end of the model's message, where the API refuses it.
fn end_with_content(role: Role, content: &mut Vec<Value>) {
    if role == Role::Assistant {
        let kept = content.iter().rposition(|block| !blocks::is_thinking(block)).map_or(0, |last| last + 1);
        content.truncate(kept);
    }
}

pub(super) fn content(message: &Message, place: Place, markers: &Markers, unsigned: bool) -> Vec<Value> {
    let mut content: Vec<Value> = Vec::new();
    for block in without_placeholder(&message.content) {
        match block {
            ContentBlock::Thinking(thinking) if citations::cite(thinking, &mut content) => {}
            ContentBlock::Thinking(thinking) if unsigned && blocks::is_unsigned(thinking) => {
                content.push(blocks::unsigned_thinking(&thinking.text));
            }
            block => content.extend(blocks::encode(message.role, block)),
        }
    }
    if message.role == Role::User {
        results_first(&mut content);
    }
    end_with_content(message.role, &mut content);
    let calls = content.iter().any(|block| blocks::is(block, "tool_use"));
    if unsigned && calls && !content.iter().any(blocks::is_thinking) {
        content.insert(0, blocks::unsigned_thinking(" "));
    }
    if let Some(last) = content.last_mut() {
        markers.mark(place, last);
    }
    content
}

/// The blocks without the text that only names the provider's items: they are sent themselves.
fn without_placeholder(blocks: &[ContentBlock]) -> &[ContentBlock] {
    match blocks.split_last() {
        Some((ContentBlock::Text { text }, rest))
            if items_text(rest) == Some(ContentBlock::Text { text: text.clone() })
                && rest.iter().any(|block| !blocks::encode(Role::Assistant, block).is_empty()) =>
        {
            rest
        }
        _ => blocks,
    }
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
    /// Returns true if it is from the user's side and has nothing but results of calls.
    pub(super) fn has_only_results(&self) -> bool {
        self.role == Role::User && self.content.iter().all(|block| blocks::is(block, "tool_result"))
    }

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
