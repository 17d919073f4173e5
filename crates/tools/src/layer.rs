//! Something around the calls of tools.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{ToolCall, ToolDefinition};

use crate::access::Access;
use crate::output::ToolOutput;
use crate::registry::{RegistryError, ToolRegistry};
use crate::tool::{Tool, ToolContext};

/// Runs the calls of other tools, with work of its own before and after each: it may refuse a call, observe it, or change its
/// context. What the model and the permissions see of the tools stays the same.
///
/// # Contract
/// - MUST NOT run a call more than once.
/// - MUST keep the rest of the contract of [`Tool`], as far as its own work is concerned.
///
/// # When it fails
/// It returns an output that is marked as an error, as a tool does.
#[async_trait]
pub trait ToolLayer: Debug + Send + Sync {
    /// Checks a call; see [`Tool::check`]. The default lets the tool check it.
    ///
    /// # Errors
    /// The output of the call.
    async fn check(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> Result<(), ToolOutput> {
        tool.check(call, context).await
    }

    /// Runs a call.
    async fn call(&self, tool: &dyn Tool, call: &ToolCall, context: &ToolContext) -> ToolOutput;
}

const _: Option<&dyn ToolLayer> = None;

/// The same tools in the same order, each with the layer around its calls.
///
/// # Errors
/// [`RegistryError`] when a tool changed its definition since it was registered.
pub fn layered(
    registry: &ToolRegistry,
    layer: impl ToolLayer + 'static,
) -> Result<ToolRegistry, RegistryError> {
    let layer: Arc<dyn ToolLayer> = Arc::new(layer);
    let mut all = ToolRegistry::new();
    for tool in registry.names().filter_map(|name| registry.get(name)) {
        all.register(Arc::new(LayeredTool { tool, layer: Arc::clone(&layer) }))?;
    }
    Ok(all)
}

#[derive(Debug)]
struct LayeredTool {
    tool: Arc<dyn Tool>,
    layer: Arc<dyn ToolLayer>,
}

#[async_trait]
impl Tool for LayeredTool {
    fn definition(&self) -> ToolDefinition {
        self.tool.definition()
    }

    fn access(&self, call: &ToolCall) -> Access {
        self.tool.access(call)
    }

    async fn check(&self, call: &ToolCall, context: &ToolContext) -> Result<(), ToolOutput> {
        self.layer.check(self.tool.as_ref(), call, context).await
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        self.layer.call(self.tool.as_ref(), call, context).await
    }
}
