//! Which errors say that the session of the transport is gone.

use serde_json::json;

use super::*;

fn client() -> HttpClient {
    HttpClient::new(crate::http::client("http://127.0.0.1", reqwest::redirect::Policy::none()).unwrap(), None)
}

fn error(said: &str) -> Result<StreamableHttpPostResponse, HttpError> {
    let error = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32_000, "message": said}});
    Ok(StreamableHttpPostResponse::Json(serde_json::from_value(error).unwrap(), None))
}

fn is_asked_again(said: &str, is_call: bool) -> bool {
    let asked = Asked { id: RequestId::Number(1), is_call, is_first: false, in_session: true };
    matches!(client().checked(&asked, error(said)), Err(StreamableHttpError::SessionExpired))
}

#[test]
fn a_call_is_made_once_more_only_where_no_tool_can_have_run() {
    for said in [
        "Session not found",
        "Bad Request: No valid session ID provided",
        "Bad Request: Missing session ID",
        "Invalid or missing Mcp-Session-Id",
        "Session expired. Initialize again.",
    ] {
        assert!(is_asked_again(said, true), "{said}");
        assert!(is_asked_again(said, false), "{said}");
    }
    for said in [
        "deploy was sent; then the terminal session was closed by the remote host",
        "the browser session does not exist any more",
        "tmux session required",
    ] {
        assert!(!is_asked_again(said, true), "{said}");
    }
    assert!(is_asked_again("unknown MCP session", false), "a list is the same the second time");
}

#[test]
fn a_second_failure_of_a_request_is_its_answer() {
    let client = client();
    let asked = Asked { id: RequestId::Number(1), is_call: true, is_first: false, in_session: true };
    assert!(client.checked(&asked, error("Session not found")).is_err());
    assert!(client.checked(&asked, error("Session not found")).is_ok());
    let outside = Asked { in_session: false, id: RequestId::Number(2), ..asked };
    assert!(client.checked(&outside, error("Session not found")).is_ok());
}
