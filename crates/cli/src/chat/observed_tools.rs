//! Tools that show their output and their results on the screen.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{ToolCall, ToolDefinition};
use throughline_text::cut_end;
use throughline_tools::{Access, RegistryError, Tool, ToolContext, ToolOutput, ToolRegistry};
use throughline_tui::Show;

use super::screen::Screen;

/// Bytes of a result that the screen gets: it shows a few lines.
const PREVIEW: usize = 8 * 1024;

/// The same tools in the same order, observed.
pub(super) fn observed_tools(
    registry: &ToolRegistry,
    screen: &Screen,
) -> Result<ToolRegistry, RegistryError> {
    let mut all = ToolRegistry::new();
    for tool in registry.names().filter_map(|name| registry.get(name)) {
        all.register(Arc::new(ObservedTool { tool, screen: screen.clone() }))?;
    }
    Ok(all)
}

#[derive(Debug)]
struct ObservedTool {
    tool: Arc<dyn Tool>,
    screen: Screen,
}

#[async_trait]
impl Tool for ObservedTool {
    fn definition(&self) -> ToolDefinition {
        self.tool.definition()
    }

    fn access(&self, call: &ToolCall) -> Access {
        self.tool.access(call)
    }

    async fn check(&self, call: &ToolCall, context: &ToolContext) -> Result<(), ToolOutput> {
        self.tool.check(call, context).await
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let context = ToolContext { output: Some(Arc::new(self.screen.clone())), ..context.clone() };
        let output = self.tool.call(call, &context).await;
        let shown = output.bytes.get(..PREVIEW).unwrap_or(&output.bytes);
        let text = String::from_utf8_lossy(shown);
        let text = cut_end(&text, PREVIEW).to_owned();
        self.screen.show(Show::ToolResult { call_id: call.id.clone(), text });
        output
    }
}
