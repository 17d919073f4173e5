//! `read_result`: reads back an offloaded result.

use serde_json::Value;
use throughline_resultstore::ReadRequest;
use throughline_text::error_chain;
use throughline_tools::ToolOutput;

use super::scope::ToolScope;

pub(super) async fn call(scope: &mut ToolScope<'_>, input: &Value) -> ToolOutput {
    let request = match ReadRequest::from_input(input) {
        Ok(request) => request,
        Err(error) => return ToolOutput::error(error_chain(&error)),
    };
    match scope.tools.results.read(&request).await {
        Ok(page) => ToolOutput::text(page.text),
        Err(error) => ToolOutput::error(error_chain(&error)),
    }
}
