//! Servers made with the SDK's own server side, with the tools of the catalogue.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig as Info, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use throughline_mcp::{LocalServer, Pipe, ServerConfig, Transport};

use crate::data;

/// A server of some tools, which answer with what they were called with.
#[derive(Debug, Clone)]
struct Own {
    name: String,
    tools: Vec<Tool>,
}

/// One server for each of the catalogue.
pub(crate) fn configs() -> Vec<ServerConfig> {
    let mut servers: Vec<Own> = Vec::new();
    for tool in data::tools() {
        let (server, name) = tool.name.trim_start_matches("mcp__").split_once("__").unwrap();
        if servers.last().is_none_or(|last| last.name != server) {
            servers.push(Own { name: server.to_owned(), tools: Vec::new() });
        }
        let Value::Object(schema) = tool.input_schema else { panic!("{name} has no schema") };
        let tools = &mut servers.last_mut().unwrap().tools;
        tools.push(Tool::new(name.to_owned(), tool.description, Arc::new(schema)));
    }
    servers
        .into_iter()
        .map(|own| ServerConfig::new(own.name.clone(), Transport::Local(Arc::new(own))))
        .collect()
}

impl LocalServer for Own {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn connect(&self) -> Pipe {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let own = self.clone();
        tokio::spawn(async move { own.serve(theirs).await.unwrap().waiting().await });
        let (output, input) = tokio::io::split(ours);
        Pipe { output: Box::new(output), input: Box::new(input) }
    }
}

impl ServerHandler for Own {
    fn get_info(&self) -> Info {
        Info::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let said = format!("{} {}", call.name, Value::Object(call.arguments.unwrap_or_default()));
        Ok(CallToolResult::success(vec![ContentBlock::text(said)]).into())
    }
}
