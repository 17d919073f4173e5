//! Searches among the items of an answer.

use serde_json::Value;
use throughline_conversation::{SearchOutcome, WEB_SEARCH, WebSearch};

use crate::anthropic::citations::source;

/// Searches whose results have not come yet.
#[derive(Debug, Default)]
pub(super) struct Searches {
    running: Vec<WebSearch>,
}

impl Searches {
    /// The search that an item begins or ends; `None` for any other item.
    pub(super) fn read(&mut self, item: &Value) -> Option<WebSearch> {
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match text("type").as_str() {
            "server_tool_use" if text("name") == WEB_SEARCH => {
                let query = item.pointer("/input/query").and_then(Value::as_str).unwrap_or_default();
                let search =
                    WebSearch { id: text("id"), query: query.to_owned(), outcome: SearchOutcome::Running };
                self.running.push(search.clone());
                Some(search)
            }
            "web_search_tool_result" => {
                let id = text("tool_use_id");
                let begun = self.running.iter().find(|search| search.id == id);
                let query = begun.map(|search| search.query.clone()).unwrap_or_default();
                Some(WebSearch { id, query, outcome: outcome(item.get("content").unwrap_or(&Value::Null)) })
            }
            _ => None,
        }
    }
}

fn outcome(content: &Value) -> SearchOutcome {
    match content {
        Value::Array(results) => SearchOutcome::Found(results.iter().filter_map(source).collect()),
        other => {
            let code = other.get("error_code").and_then(Value::as_str).unwrap_or("no reason given");
            SearchOutcome::Failed(code.to_owned())
        }
    }
}
