//! Tools that answer as they did in a recording.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use throughline_conversation::{Millis, ToolCall, ToolDefinition, ToolOrigin, ToolResult};
use throughline_tools::{Tool, ToolContext, ToolOutput};

use crate::clock::ReplayClock;
use crate::session::RecordedSession;

/// One tool of a recording: gives for each call, by its id, what was recorded.
///
/// Recordings have no schemas, so the definition is as small as one can be.
#[derive(Debug)]
pub struct RecordedTool {
    name: String,
    results: Arc<HashMap<String, RecordedResult>>,
    clock: Arc<ReplayClock>,
}

#[derive(Debug)]
struct RecordedResult {
    result: ToolResult,
    /// When all results of its step were there.
    at: Option<Millis>,
}

/// The tools of a recording, sorted by name. A call moves the clock to the recorded time of its result.
#[must_use]
pub fn recorded_tools(session: &RecordedSession, clock: &Arc<ReplayClock>) -> Vec<RecordedTool> {
    let mut results = HashMap::new();
    for turn in &session.turns {
        let next = turn.steps.iter().skip(1).map(|step| step.asked_at).chain([None]);
        for (step, at) in turn.steps.iter().zip(next) {
            results.extend(step.results.iter().map(|result| {
                let found = RecordedResult { result: result.clone(), at };
                (result.call_id.clone(), found)
            }));
        }
    }
    let results = Arc::new(results);
    let tool = |name| RecordedTool { name, results: Arc::clone(&results), clock: Arc::clone(clock) };
    session.tool_names().into_iter().map(tool).collect()
}

#[async_trait]
impl Tool for RecordedTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: self.name.clone(),
            description: format!("{}, as recorded.", self.name),
            input_schema: json!({ "type": "object" }),
            origin: ToolOrigin::Builtin,
        }
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        match self.results.get(&call.id) {
            None => ToolOutput::error(format!("The recording has no result for call {}.", call.id)),
            Some(RecordedResult { result, at }) => {
                self.clock.advance_to(*at);
                ToolOutput {
                    bytes: result.content.clone().into_bytes(),
                    images: result.images.clone(),
                    is_error: result.is_error,
                    ..ToolOutput::default()
                }
            }
        }
    }
}
