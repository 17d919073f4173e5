//! Headers and the errors that they make.

use futures_util::StreamExt as _;
use futures_util::stream;
use throughline_completion::ModelError;

use super::RetryHead;
use crate::http::HttpAnswer;

fn error(retry_after_ms: Option<&str>, should_retry: Option<&str>) -> ModelError {
    let answer = HttpAnswer {
        status: 503,
        content_type: String::new(),
        retry_after: Some("2".to_owned()),
        retry_after_ms: retry_after_ms.map(str::to_owned),
        should_retry: should_retry.map(str::to_owned),
        request_id: None,
        location: None,
        body: stream::empty().boxed(),
    };
    let error = ModelError::Unavailable { message: "busy".to_owned(), retry_after_ms: Some(2_000) };
    RetryHead::of(&answer).applied(error)
}

#[test]
fn milliseconds_are_more_exact_than_seconds() {
    assert_eq!(error(Some("1250.2"), None).retry_after_ms(), Some(1_251));
    assert_eq!(error(Some("soon"), Some("true")).retry_after_ms(), Some(2_000));
}

#[test]
fn a_provider_that_says_that_a_retry_does_not_help_is_not_asked_again() {
    assert!(matches!(error(None, Some("false")), ModelError::NoRetry { .. }));
}
