//! The figures of an answer: totals, and the prompt of the last pass.

use serde_json::Value;
use throughline_conversation::{Usage, whole_number};

use crate::figure::field;

/// The figures of the prompt: read, read from the cache, and written into it.
const PROMPT: [&str; 3] = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];

/// The usage that was reported so far.
#[derive(Debug, Default)]
pub(super) struct ReportedUsage {
    totals: Usage,
    /// Tokens of the prompt at the start of the message.
    first: u64,
    /// Tokens of the prompt of the last pass, when there were several. The figures of an answer for which the provider ran its own
    /// tools are sums over several passes (Anthropic documentation, "Web search tool", "Usage").
    last: Option<u64>,
}

impl ReportedUsage {
    /// Reads figures, and returns those of the answer with what the provider's own compaction took, which is not in the totals.
    /// Figures are running totals: a later one replaces an earlier one, and a missing one changes nothing. Gateways repeat those of
    /// the prompt as zeros, which change nothing either.
    pub(super) fn read(&mut self, usage: Option<&Value>) -> Option<Usage> {
        let fields = usage?.as_object()?;
        let read = |name: &str| fields.get(name).and_then(whole_number);
        let [input, cache_read, cache_write] = PROMPT.map(read);
        if [input, cache_read, cache_write].into_iter().flatten().any(|tokens| tokens > 0) {
            self.totals.input = input.unwrap_or(self.totals.input);
            self.totals.cache_read = cache_read.unwrap_or(self.totals.cache_read);
            self.totals.cache_write = cache_write.unwrap_or(self.totals.cache_write);
        }
        self.totals.output = read("output_tokens").filter(|tokens| *tokens > 0).unwrap_or(self.totals.output);
        let searches =
            fields.get("server_tool_use").and_then(|tools| tools.get("web_search_requests")?.as_u64());
        self.totals.searches = searches.unwrap_or(self.totals.searches);
        let passes = fields.get("iterations").and_then(Value::as_array).into_iter().flatten();
        let compaction = passes.filter(|pass| is_compaction(pass)).map(usage_of_pass);
        Some(compaction.fold(self.totals, Usage::plus))
    }

    /// A message has begun: the figures so far are those of its first pass.
    pub(super) fn begin_message(&mut self) {
        (self.first, self.last) = (self.totals.prompt(), None);
    }

    /// Reads which passes there were.
    pub(super) fn read_passes(&mut self, usage: &Value) {
        let passes = usage.get("iterations").and_then(Value::as_array);
        let tools = usage.get("server_tool_use").and_then(Value::as_object);
        let mut last = passes.filter(|passes| passes.len() > 1).into_iter().flatten();
        // A compaction is a request of its own: its size says nothing about the window.
        if let Some(pass) = last.rfind(|pass| !is_compaction(pass)) {
            self.last = Some(usage_of_pass(pass).prompt()).filter(|tokens| *tokens > 0);
        } else if tools.is_some_and(|tools| tools.values().any(|count| count.as_u64() > Some(0))) {
            self.last = Some(self.first).filter(|tokens| *tokens > 0);
        }
    }

    /// Tokens of the prompt of the last pass, if there were several.
    pub(super) fn window_prompt(&self) -> Option<u64> {
        self.last
    }
}

fn is_compaction(pass: &Value) -> bool {
    pass.get("type").and_then(Value::as_str) == Some("compaction")
}

fn usage_of_pass(pass: &Value) -> Usage {
    let [input, cache_read, cache_write] = PROMPT.map(|name| field(pass, name));
    Usage { input, cache_read, cache_write, output: field(pass, "output_tokens"), searches: 0 }
}
