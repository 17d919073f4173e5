//! Searches among the items of an answer (OpenAI documentation, "Web search").

use serde_json::Value;
use throughline_conversation::{SearchOutcome, WebSearch, WebSource};

/// The search that a whole item of the type `web_search_call` is.
pub(super) fn read(item: &Value) -> WebSearch {
    let text = |path: &str| item.pointer(path).and_then(Value::as_str).filter(|text| !text.is_empty());
    let queries = item.pointer("/action/queries").and_then(Value::as_array).into_iter().flatten();
    let queries: Vec<&str> = queries.filter_map(Value::as_str).collect();
    let query = match text("/action/type") {
        Some("open_page") => text("/action/url").map(str::to_owned),
        Some("find_in_page") => text("/action/pattern").map(str::to_owned),
        _ => text("/action/query").map(str::to_owned).or(Some(queries.join("; "))),
    };
    let outcome = match text("/status") {
        Some("failed") => SearchOutcome::Failed("no reason given".to_owned()),
        _ => match item.pointer("/action/sources").and_then(Value::as_array) {
            Some(sources) => SearchOutcome::Found(sources.iter().filter_map(source).collect()),
            None => SearchOutcome::Unlisted,
        },
    };
    let id = text("/id").unwrap_or_default().to_owned();
    WebSearch { id, query: query.unwrap_or_default(), outcome }
}

/// The page that a source or an annotation names.
pub(super) fn source(value: &Value) -> Option<WebSource> {
    let field = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(WebSource { url: field("url"), title: field("title") }).filter(|source| !source.url.is_empty())
}
