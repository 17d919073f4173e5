//! A request around a few messages.

use std::sync::Arc;

use serde_json::json;
use throughline_completion::CompletionRequest;
use throughline_conversation::{Message, SectionText, SessionId, ToolDefinition, ToolOrigin, Transcript};

/// These messages with two sections, one tool, and one note at the tail.
#[must_use]
pub fn request(messages: Vec<Message>) -> CompletionRequest {
    let section = |text: &str| SectionText {
        name: "s".to_owned(),
        text: text.to_owned(),
        cacheable: true,
        skill: false,
    };
    let read = ToolDefinition {
        name: "read".to_owned(),
        description: "Reads a file.".to_owned(),
        input_schema: json!({"type": "object"}),
        origin: ToolOrigin::Builtin,
    };
    CompletionRequest {
        model: "m".to_owned(),
        session: SessionId::new("s-1").ok(),
        tools: Arc::new([read]),
        system: Arc::new([section("You are an agent."), section("Root rules.")]),
        transcript: Transcript::from_messages(messages),
        tail: vec!["[Context: 83% used.]".to_owned()],
        breakpoints: Vec::new(),
        max_output_tokens: 64,
    }
}
