//! What is wrong with the parameters of a request that could not be read.

use rmcp::model::{CallToolRequestParams, GetSkillRequestParams, ReadResourceRequestParams};
use serde_json::{Value, from_value};

/// What is wrong with the parameters of a method that needs some; `None`: the server has no such method.
pub(crate) fn wrong_params(method: &str, params: Option<Value>) -> Option<String> {
    let params = params.unwrap_or_default();
    let is_missing = params.is_null();
    let why = match method {
        "tools/call" => why(from_value::<CallToolRequestParams>(params)),
        "resources/read" => why(from_value::<ReadResourceRequestParams>(params)),
        "skills/get" => why(from_value::<GetSkillRequestParams>(params)),
        _ => return None,
    };
    let why = if is_missing { "there are none".to_owned() } else { why };
    Some(format!("the parameters of {method} cannot be used: {why}"))
}

fn why<T>(read: serde_json::Result<T>) -> String {
    read.err().map_or_else(
        || "the request has another form than the protocol's".to_owned(),
        |error| error.to_string(),
    )
}
