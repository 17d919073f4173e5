//! Which function answers which path.

use std::sync::Arc;

use axum::Router;
use axum::http::Method;
use axum::http::StatusCode;
use axum::http::Uri;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use throughline::Storage;
use throughline_text::cut_end;

use crate::answer::Failure;
use crate::guard::{Guard, guarded};
use crate::{memos, requests, sessions};

/// Most bytes of a path that an error repeats.
const ECHO: usize = 80;

/// The paths, behind the guard.
pub(crate) fn router(storage: Storage, guard: Guard) -> Router {
    Router::new()
        .route("/api/sessions", get(sessions::list))
        .route("/api/sessions/{id}", get(sessions::show))
        .route("/api/sessions/{id}/messages", get(sessions::messages))
        .route("/api/sessions/{id}/checkpoints", get(sessions::checkpoints))
        .route("/api/sessions/{id}/handoff", get(sessions::handoff))
        .route("/api/sessions/{id}/requests", get(requests::list))
        .route("/api/sessions/{id}/requests/{number}", get(requests::show))
        .route("/api/sessions/{id}/compactions", get(requests::compactions))
        .route("/api/sessions/{id}/compactions/{number}", get(requests::compaction))
        .route("/api/memos", get(memos::list))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .with_state(storage)
        // The last layer is the first that a request meets, whatever its path.
        .layer(from_fn_with_state(Arc::new(guard), guarded))
}

async fn unknown(uri: Uri) -> Failure {
    let path = cut_end(uri.path(), ECHO);
    Failure::new(StatusCode::NOT_FOUND, format!("there is nothing at {path:?}; see docs/server.md"))
}

async fn wrong_method(method: Method) -> Failure {
    let method = cut_end(method.as_str(), ECHO);
    Failure::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not possible here; use GET"))
}
