//! Tools that a server does not take: for their schemas, or since there are more than it takes.

mod plain_schema;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::{StreamExt as _, stream};
use serde_json::Value;
use throughline_completion::{AnswerDetail, CompletionEvent, CompletionRequest, EventStream, ModelError};
use throughline_conversation::{CacheBreakpoint, Place, ToolDefinition};

use super::words::words;

/// Words about the schema of a tool, and words about calls and messages, which may name tools as well; in lower case.
const SCHEMA: &[&str] = &["schema", "parameters", "function_declarations", "regex", "pattern"];
const ELSEWHERE: &[&str] =
    &["message", "input[", "tool_call", "tool call", "tool_use", "tool_result", "tool_choice"];

/// Words of a server that cannot read a schema and does not say of which tool, in lower case: llama.cpp and what is built on it,
/// Kimi.
const UNNAMED: &[&str] = &[
    "json schema conversion failed",
    "failed to parse grammar",
    "failed to initialize samplers",
    "flavored json schema",
];

/// Texts before the place of a tool in the body, in lower case. The innermost comes first.
const PLACES: &[&str] =
    &["function_declarations[", "functiondeclarations[", "function_declarations.", "tools[", "tools."];

/// The words before the most tools that a server takes, in lower case (OpenAI).
const MOST_AFTER: &str = "array with maximum length ";

/// What a server has refused of the tools of its requests. Later requests go without.
#[derive(Debug, Default)]
pub(crate) struct RefusedTools(Mutex<Refused>);

#[derive(Debug, Default)]
struct Refused {
    names: BTreeSet<String>,
    /// Schemas go without the keywords that not every server reads.
    plain: bool,
    /// The most tools of a request.
    most: Option<usize>,
    /// Tools that are beyond it, and reported.
    beyond: BTreeSet<String>,
    /// What the user was not shown yet.
    news: Vec<String>,
}

impl RefusedTools {
    /// Of a server that takes at most this many tools.
    pub(crate) fn of_most(most: Option<usize>) -> Self {
        Self(Mutex::new(Refused { most, ..Refused::default() }))
    }

    /// The request without the tools that were refused, and without those of others that are too many.
    pub(crate) fn without<'r>(&self, request: &'r CompletionRequest) -> Cow<'r, CompletionRequest> {
        let mut refused = self.refused();
        let stays: Vec<bool> = refused.stays(&request.tools);
        if !refused.plain && stays.iter().all(|stays| *stays) {
            return Cow::Borrowed(request);
        }
        let tools = request.tools.iter().zip(&stays).filter(|(_, stays)| **stays).map(|(tool, _)| tool);
        let plain = refused.plain;
        let tools = tools.map(|tool| if plain { plain_schema::of(tool) } else { tool.clone() }).collect();
        let breakpoints = request.breakpoints.iter().filter_map(|marker| moved(*marker, &stays)).collect();
        Cow::Owned(CompletionRequest { tools, breakpoints, ..request.clone() })
    }

    /// Returns true if the server refused tools of this body for the first time: the request is to be sent again without them.
    pub(crate) fn refuses_some(
        &self,
        request: &CompletionRequest,
        body: impl FnOnce() -> Option<Value>,
        sent: &Result<EventStream, ModelError>,
    ) -> bool {
        let Err(ModelError::InvalidRequest { message } | ModelError::Unavailable { message, .. }) = sent
        else {
            return false;
        };
        let lower = message.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        if let Some(most) = number_after(&lower, MOST_AFTER).filter(|_| lower.contains("'tools'")) {
            let mut refused = self.refused();
            let is_new = most > 0 && refused.most.is_none_or(|before| most < before);
            refused.most = if is_new { Some(most) } else { refused.most };
            return is_new;
        }
        if has(UNNAMED) {
            return self.refused().simplify(request, message);
        }
        // The body is built by what is known here, so nothing may be locked.
        let named = match place_in(&lower).and_then(|(list, at)| name_at(&body()?, list, at)) {
            Some(name) => Some(name),
            None if has(SCHEMA) && !has(ELSEWHERE) => name_in(request, message),
            None => None,
        };
        let tool = named.and_then(|name| request.tools.iter().find(|tool| tool.name == name));
        tool.is_some_and(|tool| self.refused().change(tool, message))
    }

    /// The events, with what the user should know first.
    pub(crate) fn reported(&self, events: EventStream) -> EventStream {
        let news = std::mem::take(&mut self.refused().news);
        let news = news.into_iter().map(|text| Ok(CompletionEvent::Detail(AnswerDetail::News(text))));
        stream::iter(news.collect::<Vec<_>>()).chain(events).boxed()
    }

    fn refused(&self) -> MutexGuard<'_, Refused> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Refused {
    /// Which tools are sent.
    fn stays(&mut self, tools: &[ToolDefinition]) -> Vec<bool> {
        let mut stays: Vec<bool> = tools.iter().map(|tool| !self.names.contains(&tool.name)).collect();
        let sent = stays.iter().filter(|stays| **stays).count();
        let mut excess = self.most.map_or(0, |most| sent.saturating_sub(most));
        let mut beyond = Vec::new();
        for (tool, stays) in tools.iter().zip(&mut stays).rev() {
            if excess > 0 && *stays && tool.origin.is_deferrable() {
                (*stays, excess) = (false, excess - 1);
                if self.beyond.insert(tool.name.clone()) {
                    beyond.push(tool.name.as_str());
                }
            }
        }
        if let (Some(most), false) = (self.most, beyond.is_empty()) {
            beyond.reverse();
            self.news.push(format!(
                "the provider takes at most {most} tools; these are left out: {}",
                beyond.join(", ")
            ));
        }
        stays
    }

    /// Makes all schemas plain; if they are, leaves out the tools whose schemas were not, and at last all that are not the program's
    /// own. Returns true if that changes anything.
    fn simplify(&mut self, request: &CompletionRequest, message: &str) -> bool {
        let is_odd = |tool: &&ToolDefinition| !plain_schema::is(tool);
        if !self.plain && request.tools.iter().any(|tool| is_odd(&tool)) {
            self.plain = true;
            return true;
        }
        let others = || request.tools.iter().filter(|tool| tool.origin.is_deferrable());
        self.leave_out(others().filter(is_odd), message) || self.leave_out(others(), message)
    }

    /// Leaves out a tool that is refused, or makes schemas plain for one of the program's own. Returns true if that changes anything.
    fn change(&mut self, tool: &ToolDefinition, message: &str) -> bool {
        if tool.origin.is_deferrable() {
            return self.leave_out([tool], message);
        }
        let is_new = !self.plain && !plain_schema::is(tool);
        self.plain |= is_new;
        is_new
    }

    /// Returns true if one of them was not left out before.
    fn leave_out<'t>(&mut self, tools: impl IntoIterator<Item = &'t ToolDefinition>, message: &str) -> bool {
        let names = tools.into_iter().map(|tool| tool.name.as_str());
        let new: Vec<&str> = names.filter(|name| self.names.insert((*name).to_owned())).collect();
        if new.is_empty() {
            return false;
        }
        let (what, is) = if new.len() == 1 { ("tool", "is") } else { ("tools", "are") };
        let list = new.join(", ");
        self.news.push(format!(
            "the provider refuses the {what} {list}, which {is} left out from here on: {message}"
        ));
        true
    }
}

/// The marker in a request of the tools that stay; `None` if no tool stays before it.
fn moved(marker: CacheBreakpoint, stays: &[bool]) -> Option<CacheBreakpoint> {
    let Place::Tool(index) = marker.place else { return Some(marker) };
    let before = stays.iter().take(index + 1).filter(|stays| **stays).count();
    Some(CacheBreakpoint { place: Place::Tool(before.checked_sub(1)?), ..marker })
}

/// The list of tools that a message names, and the place in it.
fn place_in(lower: &str) -> Option<(&'static str, usize)> {
    PLACES.iter().find_map(|before| Some((*before, number_after(lower, before)?)))
}

/// The name of the tool at a place in a list of the body.
fn name_at(body: &Value, list: &str, at: usize) -> Option<String> {
    let tools = body.get("tools")?.as_array()?;
    // Gemini has a list of functions in its list of tools.
    let functions = || tools.iter().find_map(|tool| tool.get("functionDeclarations")?.as_array());
    let list = if list.starts_with("function") { functions()? } else { tools };
    let tool = list.get(at)?;
    let name = tool.get("name").or_else(|| tool.pointer("/function/name"))?;
    name.as_str().map(str::to_owned)
}

/// The tool of the request whose name a message has as a word; the longest if there are several.
fn name_in(request: &CompletionRequest, message: &str) -> Option<String> {
    let words = words(message);
    let named = request.tools.iter().filter(|tool| words.contains(tool.name.as_str()));
    named.max_by_key(|tool| tool.name.len()).map(|tool| tool.name.clone())
}

fn number_after(text: &str, before: &str) -> Option<usize> {
    let (_, rest) = text.split_once(before)?;
    let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}
