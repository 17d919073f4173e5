//! A request with the token of a login.

use rmcp::transport::AuthError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use crate::access::Access;

type HttpError = StreamableHttpError<reqwest::Error>;

/// Sends a request with the token, and once more with a better one if the server refuses it.
///
/// # Errors
/// Those of the request; [`AuthError::AuthorizationFailed`] with what the user has to do if the server wants a login.
pub(crate) async fn authorized<T, F: Future<Output = Result<T, HttpError>>>(
    access: &Access,
    send: impl Fn(Option<String>) -> F,
) -> Result<T, HttpError> {
    let mut token = access.token().await;
    let mut answer = send(token.clone()).await;
    if is_unauthorized(&answer)
        && let Some(better) = access.after_refusal(token.as_deref()).await
    {
        answer = send(Some(better.clone())).await;
        token = Some(better);
    }
    if is_unauthorized(&answer) {
        let why = access.refuse(token.as_deref());
        return Err(AuthError::AuthorizationFailed(why).into());
    }
    if let Err(StreamableHttpError::InsufficientScope(error)) = &answer {
        let why = access.refuse_scope(error.required_scope.as_deref());
        return Err(AuthError::AuthorizationFailed(why).into());
    }
    if answer.is_ok() {
        access.accept();
    }
    answer
}

/// The status is 401. A server that names no way to log in is reported as an unexpected answer.
fn is_unauthorized<T>(answer: &Result<T, HttpError>) -> bool {
    match answer {
        Err(StreamableHttpError::AuthRequired(_)) => true,
        Err(StreamableHttpError::UnexpectedServerResponse(said)) => said.starts_with("HTTP 401"),
        Err(StreamableHttpError::Client(error)) => error.status() == Some(reqwest::StatusCode::UNAUTHORIZED),
        _ => false,
    }
}
