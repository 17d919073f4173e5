//! A refusal says what to do next, and nothing is sent twice.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a client that breaks the contract fails the test")]

use serde_json::json;
use throughline_completion::ModelError;
use throughline_conversation::{ContentBlock, Message, Role, ToolCall};
use throughline_testserver::{Answer, ErrorKind};

use super::{Wire, failure, hello, only, request};

pub(crate) async fn too_many_requests(wire: &Wire) {
    for (seconds, wait) in [(Some(7), Some(7_000)), (None, None)] {
        let server = wire.server([Answer::error(ErrorKind::RateLimited { retry_after_s: seconds })]).await;
        match failure(wire.client(&server).as_ref(), &hello()).await.1 {
            ModelError::RateLimited { retry_after_ms, .. } => assert_eq!(retry_after_ms, wait),
            other => panic!("{other:?}"),
        }
        only(&server);
    }
}

pub(crate) async fn overload(wire: &Wire) {
    let answers = [
        Answer::error(ErrorKind::Overloaded),
        Answer::error(ErrorKind::Internal),
        Answer::status(529, json!({})),
        Answer::status(500, json!("broken")),
    ];
    for answer in answers {
        let server = wire.server([answer]).await;
        let (events, error) = failure(wire.client(&server).as_ref(), &hello()).await;
        assert!(events.is_empty());
        assert!(matches!(error, ModelError::Unavailable { .. }) && error.is_transient(), "{error:?}");
        only(&server);
    }
}

pub(crate) async fn a_wrong_key(wire: &Wire) {
    let server = wire.server([Answer::error(ErrorKind::Unauthorized)]).await;
    let error = failure(wire.client(&server).as_ref(), &hello()).await.1;
    assert!(matches!(error, ModelError::Unauthorized { .. }) && !error.is_transient(), "{error:?}");
    only(&server);
}

pub(crate) async fn a_request_that_is_too_long(wire: &Wire) {
    let too_long = ErrorKind::TooLong { tokens: 9_100, limit: 8_192 };
    let server = wire.server([Answer::error(too_long)]).await;
    match failure(wire.client(&server).as_ref(), &hello()).await.1 {
        ModelError::Overflow { limit, .. } => assert_eq!(limit, wire.limit.then_some(8_192)),
        other => panic!("{other:?}"),
    }
    only(&server);
}

pub(crate) async fn a_page(wire: &Wire) {
    let page = "<!DOCTYPE html><html><head><title>Sign in</title></head></html>";
    for status in [200, 502] {
        let server = wire.server([Answer::html(status, page)]).await;
        let error = failure(wire.client(&server).as_ref(), &hello()).await.1;
        let says = error.to_string();
        assert!(says.contains("HTML page") && says.contains("base URL"), "{says}");
        match status {
            200 => assert!(matches!(error, ModelError::InvalidRequest { .. }), "{error:?}"),
            _ => assert!(matches!(error, ModelError::Unavailable { .. }), "{error:?}"),
        }
        only(&server);
    }
}

pub(crate) async fn no_server(wire: &Wire) {
    // Bound and closed: nothing listens there.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let client = (wire.model)(wire.endpoint(&format!("http://{address}")));
    let error = failure(client.as_ref(), &hello()).await.1;
    assert!(matches!(error, ModelError::NotRunning { .. }), "{error:?}");
    let says = error.to_string();
    assert!(says.contains(&format!("no server listens at {address}")), "{says}");
}

pub(crate) async fn an_invalid_request(wire: &Wire) {
    let call = ToolCall { id: "call_a".to_owned(), name: "read".to_owned(), input: json!({}) };
    let call = ContentBlock::ToolCall(call);
    let server = wire.server([Answer::text("ok")]).await;
    // The connection is never accepted.
    let messages = [Message::user("hello"), Message { role: Role::Assistant, content: vec![call] }];
    let error = failure(wire.client(&server).as_ref(), &request(messages)).await.1;
    assert!(matches!(error, ModelError::InvalidRequest { .. }), "{error:?}");
    assert!(error.to_string().contains("not sent"), "{error}");
    assert!(server.received().is_empty());
}
