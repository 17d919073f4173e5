//! The demo's model: a script that also does what every model does after a crash, calling again.

use async_trait::async_trait;
use throughline_completion::{
    CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply, ScriptedModel,
};
use throughline_conversation::{ContentBlock, Message, ToolCall};

/// Ends the id of a call that is made again because a crash cut the first one off.
const AGAIN: &str = "-again";

/// A [`ScriptedModel`] that repeats calls which were cut off.
#[derive(Debug)]
pub(super) struct DemoModel {
    script: ScriptedModel,
}

impl DemoModel {
    pub(super) fn new(script: ScriptedModel) -> Self {
        Self { script }
    }
}

/// Whether a message of the model is one of the script's own, not a repetition.
pub(super) fn is_scripted(message: &Message) -> bool {
    !message.tool_calls().any(|call| call.id.ends_with(AGAIN))
}

#[async_trait]
impl LanguageModel for DemoModel {
    fn info(&self) -> ModelInfo {
        self.script.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let again = calls_cut_off(request);
        if !again.is_empty() {
            self.script.interject(Reply::Say(again));
        }
        self.script.stream(request).await
    }
}

fn calls_cut_off(request: &CompletionRequest) -> Vec<ContentBlock> {
    let mut newest = request.transcript.messages().rev();
    let (Some(results), Some(asked)) = (newest.next(), newest.next()) else { return Vec::new() };
    let cut = |call: &&ToolCall| {
        let missing = throughline_conversation::missing_result(&call.id);
        results.tool_results().any(|result| *result == missing)
    };
    let repeat = |call: &ToolCall| ToolCall { id: format!("{}{AGAIN}", call.id), ..call.clone() };
    asked.tool_calls().filter(cut).map(|call| ContentBlock::ToolCall(repeat(call))).collect()
}
