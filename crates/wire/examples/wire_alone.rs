//! One neutral request as the body of three providers, each judged by that provider's rules. No network.
// S3-30

use std::sync::Arc;

use serde_json::json;
use throughline_completion::CompletionRequest;
use throughline_conversation::{
    CacheBreakpoint, CacheTtl, Message, Place, SectionText, ToolDefinition, ToolOrigin, Transcript,
};
use throughline_wire::ollama::OllamaOptions;
use throughline_wire::{Wire, WireOptions, WireRequest as _, validate};

fn main() {
    let read = ToolDefinition {
        name: "read_file".to_owned(),
        description: "Reads a file.".to_owned(),
        input_schema: json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        origin: ToolOrigin::Builtin,
    };
    let section = SectionText {
        name: "role".to_owned(),
        text: "You are a careful engineer.".to_owned(),
        cacheable: true,
        skill: false,
    };
    let request = CompletionRequest {
        model: "any-model".to_owned(),
        session: None,
        tools: Arc::new([read]),
        system: Arc::new([section]),
        transcript: Transcript::from_messages([Message::user("Why does the parser test fail?")]),
        tail: vec!["[Context: 12% used.]".to_owned()],
        breakpoints: vec![CacheBreakpoint { place: Place::Section(0), ttl: CacheTtl::FiveMinutes }],
        max_output_tokens: 1_024,
    };

    let messages = request.body(Wire::Anthropic);
    let responses = request.body(Wire::OpenAiResponses);
    let chat = request.body(WireOptions::Ollama(OllamaOptions { num_ctx: 16_384 }));
    for (api, body, faults) in [
        ("Anthropic, POST /v1/messages", &messages, validate::anthropic(&messages)),
        ("OpenAI, POST /v1/responses", &responses, validate::openai_responses(&responses)),
        ("Ollama, POST /api/chat", &chat, validate::ollama(&chat)),
    ] {
        assert!(faults.is_empty(), "{faults:?}");
        println!("{api}\n{body:#}\n");
    }

    // A result without its call: the API's own message and the place, before a request is paid for.
    let orphan = json!({"type": "tool_result", "tool_use_id": "call_1", "content": "ok"});
    let mut broken = messages;
    if let Some(content) = broken.pointer_mut("/messages/0/content") {
        *content = json!([orphan]);
    }
    for fault in validate::anthropic(&broken) {
        println!("refused: {fault}");
    }
}
