//! An engine in a small window, and messages for it.

use std::sync::Arc;

use serde_json::json;
use throughline_completion::{Answer, AnswerDetails, ModelInfo, StopReason};
use throughline_continuity::InMemoryMessageLog;
use throughline_conversation::{
    ContentBlock, Message, Role, SessionId, ToolCall, ToolDefinition, ToolResult,
};
use throughline_engine::{ContextEngine, EngineBuilder, Next, PreparedRequest};
use throughline_policies::{Estimator, Policy};

pub(super) const WINDOW: u64 = 24_000;

pub(super) fn builder(log: &Arc<InMemoryMessageLog>) -> EngineBuilder {
    let info = ModelInfo::with_window("test", WINDOW, 2_000);
    let settings = Policy::Throughline.settings(WINDOW, 2_000);
    ContextEngine::builder(info, Estimator::default().counter(), settings)
        .log(Arc::clone(log) as _)
        .tools(&[ToolDefinition::new("dump", "Dumps rows.", json!({ "type": "object" }))])
}

pub(super) fn id() -> SessionId {
    SessionId::new("mine").unwrap()
}

pub(super) async fn open(log: &Arc<InMemoryMessageLog>) -> ContextEngine {
    builder(log).open(id()).await.unwrap()
}

pub(super) fn call(id: &str) -> Message {
    let call = ToolCall { id: id.to_owned(), name: "dump".to_owned(), input: json!({ "of": id }) };
    Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] }
}

pub(super) fn result(id: &str, text: &str) -> Message {
    Message::results([ToolResult {
        call_id: id.to_owned(),
        content: text.to_owned(),
        images: Vec::new(),
        is_error: false,
    }])
}

pub(super) fn answer(message: Message) -> Answer {
    let calls = message.tool_calls().next().is_some();
    let stop = if calls { StopReason::ToolUse } else { StopReason::EndTurn };
    Answer { message, stop, usage: None, details: AnswerDetails::default() }
}

pub(super) async fn request(engine: &mut ContextEngine) -> PreparedRequest {
    match engine.next_request().await.unwrap() {
        Next::Request(prepared) => prepared,
        Next::Summarize(asked) => panic!("asked for summary {}", asked.id),
    }
}

/// Rows that are large and unlike each other.
pub(super) fn rows(seed: usize, count: usize) -> String {
    (0..count)
        .map(|row| format!("row {row} of {seed}: name_{} is {}\n", row * 7 + seed, row * seed))
        .collect()
}
