//! A tool whose arguments have a portable schema.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{ToolCall, ToolDefinition};

use crate::access::Access;
use crate::output::ToolOutput;
use crate::portable_schema::{ArgumentNames, PortableSchema};
use crate::tool::{Tool, ToolContext};

/// The tool itself if its schema is portable, else one that is, with the definition. Its calls reach the tool with the tool's
/// own names of arguments.
pub(crate) fn portable(tool: Arc<dyn Tool>, definition: ToolDefinition) -> (Arc<dyn Tool>, ToolDefinition) {
    let Some(fields) = definition.input_schema.as_object() else { return (tool, definition) };
    let PortableSchema { schema, names } = PortableSchema::of(fields);
    if schema == definition.input_schema {
        return (tool, definition);
    }
    let definition = ToolDefinition { input_schema: schema, ..definition };
    (Arc::new(PortableTool { tool, definition: definition.clone(), names }), definition)
}

#[derive(Debug)]
struct PortableTool {
    tool: Arc<dyn Tool>,
    definition: ToolDefinition,
    names: ArgumentNames,
}

impl PortableTool {
    fn restored(&self, call: &ToolCall) -> ToolCall {
        ToolCall { input: self.names.restore(call.input.clone()), ..call.clone() }
    }
}

#[async_trait]
impl Tool for PortableTool {
    fn definition(&self) -> ToolDefinition {
        self.definition.clone()
    }

    fn access(&self, call: &ToolCall) -> Access {
        self.tool.access(&self.restored(call))
    }

    async fn check(&self, call: &ToolCall, context: &ToolContext) -> Result<(), ToolOutput> {
        self.tool.check(&self.restored(call), context).await
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        self.tool.call(&self.restored(call), context).await
    }
}
