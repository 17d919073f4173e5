//! `read_result`: reads back what was stored out of the window.

use serde::Deserialize;
use serde_json::Value;
use throughline_conversation::{ResultRef, error_chain};
use throughline_resultstore::ReadRequest;
use throughline_tools::ToolOutput;

use crate::engine::Engine;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    ref_id: String,
    #[serde(default)]
    offset: u64,
    limit: Option<u64>,
    search: Option<String>,
}

pub(super) async fn call(engine: &Engine, input: &Value) -> ToolOutput {
    let arguments: Arguments = match serde_json::from_value(input.clone()) {
        Ok(arguments) => arguments,
        Err(error) => return ToolOutput::error(format!("read_result: {error}")),
    };
    let mut request = ReadRequest::new(ResultRef::from_text(&arguments.ref_id));
    request.offset = arguments.offset;
    if let Some(limit) = arguments.limit {
        request.limit = limit;
    }
    request.search = arguments.search;
    match engine.parts.results.read(&request).await {
        Ok(page) => ToolOutput::text(page.text),
        Err(error) => ToolOutput::error(error_chain(&error)),
    }
}
