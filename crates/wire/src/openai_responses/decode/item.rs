//! An item of an answer while it comes in.

use serde_json::Value;
use throughline_conversation::{ContentBlock, Thinking, WebSearch, WebSource};

use super::super::message_head::MessageHead;
use super::searches;

/// The separator of two parts of a summary.
const GLUE: &str = "\n\n";

/// Types of calls that the caller has to answer (OpenAI API reference, "Responses").
const FOREIGN_CALLS: &[&str] =
    &["custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call"];

/// One item of the output.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// The last whole form of it that was sent.
    latest: Value,
    /// Text so far.
    pub(super) text: String,
    /// Arguments so far.
    pub(super) arguments: String,
    /// Reasoning so far.
    pub(super) thinking: String,
    part: Option<u64>,
    /// It was sent complete.
    pub(super) done: bool,
    /// It was given as a block.
    pub(super) given: bool,
}

impl Item {
    /// The item begins. Deltas that came before it stay.
    pub(super) fn begin(&mut self, item: Option<&Value>) {
        self.latest = item.cloned().unwrap_or_default();
    }

    /// The item was sent once more, complete.
    pub(super) fn replace(&mut self, item: Option<&Value>) {
        if let Some(item @ Value::Object(_)) = item {
            self.latest = item.clone();
        }
    }

    /// Adds reasoning; returns the separator from the text before.
    pub(super) fn think(&mut self, part: Option<u64>, more: &str) -> &'static str {
        let glue = if self.part != part && !self.thinking.is_empty() { GLUE } else { "" };
        self.part = part;
        self.thinking.push_str(glue);
        self.thinking.push_str(more);
        glue
    }

    /// Returns true if it is a refusal.
    pub(super) fn refuses(&self) -> bool {
        parts(&self.latest, "content").any(|part| string(part, "type") == Some("refusal"))
    }

    /// Returns true if it is what a tool of the provider's own does.
    pub(super) fn is_of_provider(&self) -> bool {
        string(&self.latest, "type")
            .is_some_and(|kind| !["message", "function_call", "reasoning"].contains(&kind))
    }

    /// What it says about a search; `None` for any other item.
    pub(super) fn search(&self) -> Option<WebSearch> {
        (string(&self.latest, "type") == Some("web_search_call")).then(|| searches::read(&self.latest))
    }

    /// Returns true if it is a search that the provider charges: opening a page that was found costs nothing.
    pub(super) fn is_charged_search(&self) -> bool {
        let action = self.latest.pointer("/action/type").and_then(Value::as_str);
        string(&self.latest, "type") == Some("web_search_call")
            && action.is_none_or(|action| action == "search")
    }

    /// The pages that its texts cite.
    pub(super) fn cited(&self) -> Vec<WebSource> {
        let mut sources = Vec::new();
        let annotations = parts(&self.latest, "content").flat_map(|part| parts(part, "annotations"));
        WebSource::add_new(&mut sources, annotations.filter_map(searches::source));
        sources
    }

    /// The block that comes before it: what a message has next to its text.
    pub(super) fn head(&self) -> Option<ContentBlock> {
        let is_message = string(&self.latest, "type") == Some("message") && !self.said().is_empty();
        is_message.then(|| MessageHead::block(&self.latest)).flatten()
    }

    /// The id, the name and the arguments of a call; `None` for any other item. Without one from the server the id is empty.
    pub(super) fn call(&self) -> Option<(&str, &str, Value)> {
        if string(&self.latest, "type") != Some("function_call") {
            return None;
        }
        // The id that results repeat is `call_id`; `id` names the item.
        let id = ["call_id", "id"].into_iter().find_map(|name| string(&self.latest, name));
        let name = string(&self.latest, "name").unwrap_or_default();
        let whole = self.latest.get("arguments").filter(|whole| !whole.is_null() && *whole != "");
        let arguments = whole.cloned().unwrap_or_else(|| Value::String(self.arguments.clone()));
        Some((id.unwrap_or_default(), name, arguments))
    }

    /// Returns true if it is a call that the caller has to answer, of a kind that was not offered. The API takes none back without
    /// its result.
    pub(super) fn is_foreign_call(&self) -> bool {
        string(&self.latest, "type").is_some_and(|kind| FOREIGN_CALLS.contains(&kind))
    }

    /// The item as it came.
    pub(super) fn item(&self) -> Value {
        self.latest.clone()
    }

    /// The block that it is, a call apart, or the item itself when it is of no kind at all.
    pub(super) fn block(&self) -> Result<ContentBlock, Value> {
        match string(&self.latest, "type") {
            Some("message") => Ok(ContentBlock::Text { text: self.said() }),
            Some("reasoning") => Ok(ContentBlock::Thinking(self.reasoning())),
            // Deltas without an item: their kind is clear all the same.
            None if !self.text.is_empty() => Ok(ContentBlock::Text { text: self.text.clone() }),
            None if !self.thinking.is_empty() => {
                let text = self.thinking.clone();
                Ok(ContentBlock::Thinking(Thinking { text, signature: None, redacted: None }))
            }
            Some(_) => Ok(ContentBlock::Thinking(match self.search() {
                Some(search) => Thinking::of_search(&self.latest, &search),
                None => Thinking::of_item(&self.latest),
            })),
            None => Err(self.latest.clone()),
        }
    }

    fn reasoning(&self) -> Thinking {
        let text = self.thought();
        let redacted = string(&self.latest, "encrypted_content").map(str::to_owned);
        // An id without content would make an empty block.
        let id = string(&self.latest, "id").filter(|_| redacted.is_some() || !text.is_empty());
        Thinking { text, signature: id.map(str::to_owned), redacted }
    }

    fn said(&self) -> String {
        let texts = parts(&self.latest, "content")
            .filter_map(|part| string(part, "text").or_else(|| string(part, "refusal")));
        let whole: String = texts.collect();
        if whole.is_empty() { self.text.clone() } else { whole }
    }

    fn thought(&self) -> String {
        let texts = |field: &'static str| {
            let texts: Vec<&str> =
                parts(&self.latest, field).filter_map(|part| string(part, "text")).collect();
            texts.join(GLUE)
        };
        [texts("summary"), texts("content"), self.thinking.clone()]
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or_default()
    }
}

fn parts<'a>(item: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    item.get(field).and_then(Value::as_array).into_iter().flatten()
}

fn string<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str().filter(|text| !text.is_empty())
}
