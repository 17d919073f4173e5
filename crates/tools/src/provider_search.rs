//! The tool `web_search` where the model's provider runs it.

use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin, WEB_SEARCH};

use crate::access::{Access, Effect};
use crate::output::ToolOutput;
use crate::tool::{Tool, ToolContext};

/// What a model reads that calls it at a provider which has no such tool.
const NOT_HERE: &str =
    "The provider of this model has no web search of its own, and no other is set up. Answer without it.";

/// `web_search` by the model's provider. A provider without a search gets the tool of the program, if there is one.
#[derive(Debug, Clone, Default)]
pub struct ProviderSearch {
    own: Option<Arc<dyn Tool>>,
}

impl ProviderSearch {
    /// The same with a tool that searches where the provider cannot.
    #[must_use]
    pub fn or(own: Option<Arc<dyn Tool>>) -> Self {
        Self { own }
    }
}

#[async_trait]
impl Tool for ProviderSearch {
    fn definition(&self) -> ToolDefinition {
        match &self.own {
            Some(own) => ToolDefinition {
                name: WEB_SEARCH.to_owned(),
                origin: ToolOrigin::ProviderFirst,
                ..own.definition()
            },
            None => ToolDefinition {
                name: WEB_SEARCH.to_owned(),
                description: include_str!("provider_search.md").trim_end().to_owned(),
                input_schema: serde_json::json!({ "type": "object", "properties": {} }),
                origin: ToolOrigin::Provider,
            },
        }
    }

    fn access(&self, call: &ToolCall) -> Access {
        match &self.own {
            Some(own) => own.access(call),
            None => Access::of(Effect::Network, &call.input, "query"),
        }
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        match &self.own {
            Some(own) => own.call(call, context).await,
            None => ToolOutput::error(NOT_HERE),
        }
    }
}
