//! The demo's model: a script that repeats tool calls which a crash cut off.

use async_trait::async_trait;
use throughline_completion::{
    CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply, ScriptedModel,
};
use throughline_conversation::{ContentBlock, Message, ToolCall};

/// Suffix of the id of a repeated call.
const AGAIN: &str = "-again";

/// A [`ScriptedModel`] that repeats interrupted calls.
#[derive(Debug)]
pub(super) struct DemoModel {
    script: ScriptedModel,
}

impl DemoModel {
    pub(super) fn new(script: ScriptedModel) -> Self {
        Self { script }
    }
}

/// Returns true if a message of the model is from the script, not a repetition.
pub(super) fn is_scripted(message: &Message) -> bool {
    !message.tool_calls().any(|call| call.id.ends_with(AGAIN))
}

#[async_trait]
impl LanguageModel for DemoModel {
    fn info(&self) -> ModelInfo {
        self.script.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let again = interrupted_calls(request);
        if !again.is_empty() {
            self.script.interject(Reply::Say(again));
        }
        self.script.stream(request).await
    }
}

fn interrupted_calls(request: &CompletionRequest) -> Vec<ContentBlock> {
    let mut newest = request.transcript.messages().rev();
    let (Some(results), Some(asked)) = (newest.next(), newest.next()) else { return Vec::new() };
    let cut = |call: &&ToolCall| {
        let missing = throughline_conversation::missing_result(&call.id);
        results.tool_results().any(|result| *result == missing)
    };
    let repeat = |call: &ToolCall| ToolCall { id: format!("{}{AGAIN}", call.id), ..call.clone() };
    asked.tool_calls().filter(cut).map(|call| ContentBlock::ToolCall(repeat(call))).collect()
}
