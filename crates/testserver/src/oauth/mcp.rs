//! The MCP server: one tool, for those with a token.

use serde_json::{Value, json};

use super::grants::Grants;
use crate::http::Request;
use crate::reply::Reply;

pub(super) fn answer(state: &Grants, request: &Request) -> Reply {
    if let Some(url) = &state.elsewhere {
        return Reply::whole(307, "text/plain", "").header("location", url);
    }
    let token = request.head.header("authorization").and_then(|header| header.strip_prefix("Bearer "));
    if !token.is_some_and(|token| state.access.contains(token)) {
        let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", state.issuer);
        let error = if token.is_some() { ", error=\"invalid_token\"" } else { "" };
        let challenge = format!("Bearer resource_metadata=\"{metadata}\", scope=\"tools\"{error}");
        return Reply::json(401, &json!({"error": "unauthorized"})).header("www-authenticate", &challenge);
    }
    if request.head.method != "POST" {
        return Reply::whole(405, "text/plain", "");
    }
    let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let result = match message.get("method").and_then(Value::as_str) {
        Some("initialize") => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "guarded", "version": "1"},
        }),
        Some("tools/list") => json!({"tools": [{
            "name": "lookup",
            "description": "Looks something up.",
            "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
        }]}),
        Some("tools/call") => json!({"content": [{"type": "text", "text": "found behind the login"}]}),
        _ => return Reply::whole(202, "text/plain", ""),
    };
    Reply::json(200, &json!({"jsonrpc": "2.0", "id": message.get("id"), "result": result}))
}
