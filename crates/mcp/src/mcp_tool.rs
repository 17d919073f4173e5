//! Implements the port for a tool of a server.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value};
use throughline_conversation::{ToolCall, ToolDefinition};
use throughline_tools::{Tool, ToolContext, ToolOutput, fit_arguments, wrong_arguments};

use crate::remote_tool::RemoteTool;
use crate::server::Server;
use crate::tool_request::Asking;

/// A tool of a server. Its effect counts as unknown: a server's own statement that a tool changes nothing is not trusted.
#[derive(Debug)]
pub(crate) struct McpTool {
    pub(crate) server: Arc<Server>,
    pub(crate) tool: Arc<RemoteTool>,
}

#[async_trait]
impl Tool for McpTool {
    fn definition(&self) -> ToolDefinition {
        self.tool.definition.clone()
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let schema = &self.tool.definition.input_schema;
        let arguments = match self.tool.names.restore(fit_arguments(&call.input, schema)) {
            Value::Object(arguments) => arguments,
            Value::Null => Map::new(),
            _ => return wrong_arguments(&call.name, &"they are no JSON object", schema),
        };
        self.server.call(&self.tool.name, arguments, Asking { call: &call.id, context }).await
    }
}
