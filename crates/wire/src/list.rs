//! A list of messages as a program holds it for a provider's API, read as neutral messages.

mod anthropic;
mod call_ids;
mod gemini;
mod hosted;
mod openai_chat;
mod openai_responses;
mod parts;

use std::ops::Range;

use serde_json::{Map, Value, json};
use throughline_completion::Answer;
use throughline_conversation::{ContentBlock, Message, Role};

use crate::answer::WireAnswer as _;
use crate::wire::Wire;

/// A message and the items of the list that it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedMessage {
    /// The message.
    pub message: Message,
    /// Its items. The Responses API has one for each call; the other APIs have one for each message.
    pub items: Range<usize>,
    /// How the items are written where the message is changed.
    pub form: ListedForm,
}

/// How the items of a listed message are written where the message is changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum ListedForm {
    /// As messages are encoded.
    #[default]
    Encoded,
    /// As this item with another `output`: the result of a tool that the API defines itself.
    Output(Map<String, Value>),
    /// Not at all: only the caller has their form.
    Unchanged,
}

/// An item of a list that is not a message of its API.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("item {place} of the list is not a message of {wire}: {fault}")]
pub struct ListError {
    /// The API.
    pub wire: Wire,
    /// Its place in the list, from 0.
    pub place: usize,
    /// What is wrong with it.
    pub fault: String,
}

impl Wire {
    /// Reads the messages of a list: the `messages` of a request, the `input` of the Responses API, the `contents` of Gemini.
    /// Items that begin the list and hold a system prompt are skipped; a later one is a message of the user.
    ///
    /// `first` is the place of the first item in the whole list. Calls and results have the ids of their items: they may be empty, as
    /// Gemini's are, and used more than once.
    ///
    /// # Errors
    /// [`ListError`] for the first item that cannot be read whole.
    pub fn listed(self, items: &[Value], first: usize) -> Result<Vec<ListedMessage>, ListError> {
        let at = |place: usize, fault: String| ListError { wire: self, place: first + place, fault };
        let begun = if first == 0 { items.iter().take_while(|item| is_system(item)).count() } else { 0 };
        let rest = items.get(begun..).unwrap_or_default();
        let read = match self {
            Self::Anthropic => each(rest, anthropic::message),
            Self::OpenAiChat => each(rest, openai_chat::message),
            Self::OpenAiResponses => openai_responses::messages(rest),
            Self::Gemini => each(rest, gemini::message),
            Self::Ollama => Err((0, "lists of Ollama are not read; use openai_chat".to_owned())),
        };
        let mut listed = read.map_err(|(place, fault)| at(begun + place, fault))?;
        for one in &mut listed {
            one.items = first + begun + one.items.start..first + begun + one.items.end;
        }
        Ok(listed)
    }

    /// The message of the model that this item is; `answer` makes the body of an answer of it.
    fn said(self, item: &Value, answer: fn(Value) -> Value) -> Result<Message, String> {
        self.said_by([item.clone()], |mut items| answer(items.pop().unwrap_or_default()))
    }

    /// The same of several items.
    fn said_by(
        self,
        items: impl IntoIterator<Item = Value>,
        answer: impl FnOnce(Vec<Value>) -> Value,
    ) -> Result<Message, String> {
        let mut items: Vec<Value> = items.into_iter().collect();
        let mut ids =
            items.iter_mut().flat_map(|item| self.take_call_ids(item)).collect::<Vec<_>>().into_iter();
        let read = Answer::from_wire(self, &answer(items)).map_err(|error| error.to_string())?;
        let mut message = read.message;
        for block in &mut message.content {
            if let ContentBlock::ToolCall(call) = block {
                call.id = ids.next().unwrap_or_default();
            }
        }
        Ok(message)
    }
}

/// What is wrong with an item, and its place.
type Read = Result<Vec<ListedMessage>, (usize, String)>;

fn each(items: &[Value], read: fn(&Value) -> Result<Message, String>) -> Read {
    let one = |(place, item): (usize, &Value)| {
        let message = read(item).map_err(|fault| (place, fault))?;
        Ok(ListedMessage { message, items: place..place + 1, form: ListedForm::Encoded })
    };
    items.iter().enumerate().map(one).collect()
}

fn is_system(item: &Value) -> bool {
    matches!(role(item), Some("system" | "developer"))
}

fn role(item: &Value) -> Option<&str> {
    item.get("role").and_then(Value::as_str)
}

fn user(content: Vec<ContentBlock>) -> Message {
    Message { role: Role::User, content }
}

/// The fault of an item with another role than these.
fn wrong_role(item: &Value, roles: &str) -> String {
    format!("its role is {}, and must be {roles}", item.get("role").unwrap_or(&json!(null)))
}

#[cfg(test)]
mod tests;
