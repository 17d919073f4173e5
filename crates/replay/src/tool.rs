//! Tools that answer as they did in a recording.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin, ToolResult};
use throughline_tools::{Tool, ToolContext, ToolOutput};

use crate::session::RecordedSession;

/// One tool of a recording: gives for each call, by its id, what was recorded.
///
/// Recordings have no schemas, so the definition is as small as one can be.
#[derive(Debug)]
pub struct RecordedTool {
    name: String,
    results: Arc<HashMap<String, ToolResult>>,
}

/// The tools of a recording, sorted by name.
#[must_use]
pub fn recorded_tools(session: &RecordedSession) -> Vec<RecordedTool> {
    let results = session.steps().flat_map(|step| &step.results);
    let results = Arc::new(results.map(|result| (result.call_id.clone(), result.clone())).collect());
    let tool = |name| RecordedTool { name, results: Arc::clone(&results) };
    session.tool_names().into_iter().map(tool).collect()
}

#[async_trait]
impl Tool for RecordedTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: self.name.clone(),
            description: format!("{}, as it was recorded.", self.name),
            input_schema: json!({ "type": "object" }),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        match self.results.get(&call.id) {
            None => ToolOutput::error(format!("The recording has no result for call {}.", call.id)),
            Some(result) => ToolOutput {
                bytes: result.content.clone().into_bytes(),
                images: result.images.clone(),
                is_error: result.is_error,
                ..ToolOutput::default()
            },
        }
    }
}
