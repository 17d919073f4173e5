//! Whether a person with a browser asks, or a program.

use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, Uri};

/// Returns true if a browser wants to show the answer: it asks for a page, and not for a path of the API.
pub(crate) fn wants_page(uri: &Uri, headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = accepts.flat_map(|value| value.split(','));
    let is_page = |kind: &str| kind.split(';').next().unwrap_or_default().trim() == "text/html";
    !uri.path().starts_with("/api") && kinds.any(is_page)
}
