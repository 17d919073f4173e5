//! Messages that the agent has written in the user's name.

use serde_json::Value;
use throughline_conversation::ContentBlock;

use super::super::content::{note, parts};

/// Returns true if a message says which command the user has run. The line behind it is the text of the command.
pub(super) fn runs_command(message: &Value) -> bool {
    let (content, _) = parts(message.get("content"));
    content.iter().any(|block| matches!(block, ContentBlock::Text { text } if text.starts_with("<command-")))
}

/// A message that the agent has written in the user's name, in the form of its other notes: it asks for nothing.
pub(super) fn noted(message: &Value) -> Value {
    let note = |text: &mut Value| {
        if let Some(said) = text.as_str() {
            *text = note(said).into();
        }
    };
    let mut message = message.clone();
    match message.get_mut("content") {
        Some(Value::Array(blocks)) => {
            blocks.iter_mut().filter_map(|block| block.get_mut("text")).for_each(note);
        }
        Some(text) => note(text),
        None => {}
    }
    message
}
