//! Tools that show their output and their results on the screen.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::ToolCall;
use throughline_text::cut_end;
use throughline_tools::{RegistryError, Tool, ToolContext, ToolLayer, ToolOutput, ToolRegistry, layered};
use throughline_tui::Show;

use super::screen::Screen;

/// Bytes of a result that the screen gets: it shows a few lines.
const PREVIEW: usize = 8 * 1024;

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
        let shown = output.bytes.get(..PREVIEW).unwrap_or(&output.bytes);
        let text = String::from_utf8_lossy(shown);
        let text = cut_end(&text, PREVIEW).to_owned();
        self.0.show(Show::ToolResult { call_id: call.id.clone(), text });
        output
    }
}
