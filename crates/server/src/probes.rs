//! What a supervisor asks: whether the process lives, and whether it can answer. No token is needed, and nothing is disclosed.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;

use crate::app::App;

/// How long the database may take to answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The process answers.
pub(crate) async fn alive() -> &'static str {
    "alive\n"
}

/// The server takes requests, and its database answers.
pub(crate) async fn ready(State(app): State<App>) -> (StatusCode, &'static str) {
    if *app.stopping.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match tokio::time::timeout(TIMEOUT, app.storage.store.ping()).await {
        Ok(Ok(())) => (StatusCode::OK, "ready\n"),
        Ok(Err(error)) => {
            tracing::warn!(%error, "the database does not answer");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
        Err(_) => {
            tracing::warn!("the database did not answer in time");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
    }
}
