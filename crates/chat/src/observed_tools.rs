//! Tools that show their output and their results on the screen.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_tools::{
    RegistryError, Tool, ToolContext, ToolLayer, ToolOutput, ToolRegistry, layered, without_advice,
};
use throughline_tui::{ResultExcerpt, Show};

use super::screen::Screen;

/// The same tools in the same order, observed.
pub(super) fn observed_tools(
    registry: &ToolRegistry,
    screen: &Screen,
) -> Result<ToolRegistry, RegistryError> {
    layered(registry, Observed(screen.clone()))
}

#[derive(Debug)]
struct Observed(Screen);

#[async_trait]
impl ToolLayer for Observed {
    async fn call(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let context = ToolContext { output: Some(Arc::new(self.0.clone())), ..context.clone() };
        let output = tool.call(call, &context).await;
        let text = String::from_utf8_lossy(&output.bytes);
        let result = ResultExcerpt::of(if output.is_error { without_advice(&text) } else { &text });
        self.0.show(Show::ToolResult { call_id: call.id.clone(), result });
        output
    }
}
