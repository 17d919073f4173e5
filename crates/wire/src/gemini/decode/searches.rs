//! Searches among the parts and facts of an answer (Gemini API documentation, "Grounding with Google Search").

use serde_json::Value;
use throughline_conversation::{SearchOutcome, WebSearch, WebSource};

/// The searches of one answer.
#[derive(Debug, Default)]
pub(super) struct Searches {
    /// An answer is charged for, however much was searched: models before Gemini 3. Later ones charge each query.
    pub(super) charged_by_answer: bool,
    /// Those that parts of the answer show, and the number of their queries.
    seen: Vec<WebSearch>,
    queries: u64,
    /// Ids of those that have a response.
    ended: Vec<String>,
}

/// What an answer says about its searches at its end.
#[derive(Debug, Default)]
pub(super) struct Grounded {
    /// Those that no part has shown, or has shown the end of.
    pub(super) searches: Vec<WebSearch>,
    /// Pages that the answer cites.
    pub(super) cited: Vec<WebSource>,
    /// Searches that are charged.
    pub(super) charged: u64,
}

impl Searches {
    /// The search that a part begins or ends; `None` for any other part.
    pub(super) fn read(&mut self, part: &Value) -> Option<WebSearch> {
        let is_search = |item: &Value| {
            item.get("toolType").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("GOOGLE_SEARCH"))
        };
        let id = |item: &Value| item.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(call) = part.get("toolCall").filter(|call| is_search(call)) {
            let queries = texts(call.pointer("/args/queries"));
            self.queries += u64::try_from(queries.len()).unwrap_or(u64::MAX).max(1);
            let (id, query) = (id(call), queries.join("; "));
            let search = WebSearch { id, query, outcome: SearchOutcome::Running };
            self.seen.push(search.clone());
            return Some(search);
        }
        let response = part.get("toolResponse").filter(|response| is_search(response))?;
        let id = id(response);
        self.ended.push(id.clone());
        let query = self.seen.iter().find(|search| search.id == id).map(|search| search.query.clone());
        Some(WebSearch { id, query: query.unwrap_or_default(), outcome: SearchOutcome::Unlisted })
    }

    /// What the sources of the answer say. They name the queries, and the pages that its texts cite.
    pub(super) fn end(&mut self, grounding: Option<&Value>) -> Grounded {
        let queries = texts(grounding.and_then(|grounding| grounding.get("webSearchQueries")));
        let chunks = grounding.and_then(|grounding| grounding.get("groundingChunks")?.as_array());
        let mut cited = Vec::new();
        WebSource::add_new(&mut cited, chunks.into_iter().flatten().filter_map(source));
        let named = u64::try_from(queries.len()).unwrap_or(u64::MAX);
        let run = if named > 0 { named } else { self.queries };
        let charged = if self.charged_by_answer { run.min(1) } else { run };
        let without_response = |search: &WebSearch| !self.ended.contains(&search.id);
        let unanswered: Vec<WebSearch> =
            self.seen.iter().filter(|search| without_response(search)).cloned().collect();
        let searches = if self.seen.is_empty() && !queries.is_empty() {
            let outcome = match cited.is_empty() {
                true => SearchOutcome::Unlisted,
                false => SearchOutcome::Found(cited.clone()),
            };
            vec![WebSearch { id: "google_search".to_owned(), query: queries.join("; "), outcome }]
        } else {
            let ended = |search| WebSearch { outcome: SearchOutcome::Unlisted, ..search };
            unanswered.into_iter().map(ended).collect()
        };
        Grounded { searches, cited, charged }
    }
}

fn texts(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn source(chunk: &Value) -> Option<WebSource> {
    let field = |name: &str| chunk.pointer(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(WebSource { url: field("/web/uri"), title: field("/web/title") })
        .filter(|source| !source.url.is_empty())
}
