//! The style and the script of the pages, which are part of the program.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;

/// The style, which a report includes.
pub(super) const STYLE: &str = include_str!("assets/style.css");

const SCRIPT: &str = include_str!("assets/script.js");

/// The style.
pub(crate) async fn style() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE)
}

/// The script.
pub(crate) async fn script() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], SCRIPT)
}
