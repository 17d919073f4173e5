//! `read_result`: reads back what was stored out of the window.

use serde_json::Value;
use throughline_resultstore::ReadRequest;
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use crate::engine::Engine;

pub(super) async fn call(engine: &Engine, input: &Value) -> ToolOutput {
    let request = match ReadRequest::from_input(input) {
        Ok(request) => request,
        Err(error) => return ToolOutput::error(error_chain(&error)),
    };
    match engine.parts.results.read(&request).await {
        Ok(page) => ToolOutput::text(page.text),
        Err(error) => ToolOutput::error(error_chain(&error)),
    }
}
