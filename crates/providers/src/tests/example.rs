//! The requests that the worked examples of the wires share.

use std::sync::Arc;

use serde_json::json;
use throughline_completion::CompletionRequest;
use throughline_conversation::{
    CacheBreakpoint, CacheTtl, Message, Place, SectionText, SessionId, ToolDefinition, ToolOrigin, Transcript,
};
use throughline_testkit::parse;

/// Two sections, one tool, one note at the tail.
pub(crate) fn request(messages: Vec<Message>) -> CompletionRequest {
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
        session: Some(SessionId::new("s-1").unwrap()),
        tools: Arc::new([read]),
        system: Arc::new([section("You are an agent."), section("Root rules.")]),
        transcript: Transcript::from_messages(messages),
        tail: vec!["[Context: 83% used.]".to_owned()],
        breakpoints: Vec::new(),
        max_output_tokens: 64,
    }
}

/// Two messages of the user in a row, thinking, two calls at once of which one fails, an id that not every provider
/// takes, and an empty result.
pub(crate) fn tool_loop() -> CompletionRequest {
    request(parse(include_str!("example/tool_loop.txt")))
}

/// The same request with a marker of each kind.
pub(crate) fn marked(plain: &CompletionRequest) -> CompletionRequest {
    let places = [Place::Tool(0), Place::Section(1), Place::Message(0)];
    let breakpoints = places.map(|place| CacheBreakpoint { place, ttl: CacheTtl::OneHour }).to_vec();
    CompletionRequest { breakpoints, ..plain.clone() }
}
