//! The usage report of both of OpenAI's APIs.

use serde_json::Value;
use throughline_conversation::{Usage, whole_number};

/// Reads the figures. The APIs name them alike but for what the two sides are called: `input` is the first word of
/// `prompt_tokens` or `input_tokens`, `output` that of `completion_tokens` or `output_tokens`. The tokens of the
/// input count the cached ones too.
#[must_use]
pub fn read_usage(usage: &Value, input: &str, output: &str) -> Usage {
    let figure = |path: &str| usage.pointer(path).and_then(whole_number).unwrap_or(0);
    let prompt = figure(&format!("/{input}_tokens"));
    // Gateways count what is written among what is read too; no more than the prompt can be either.
    let cache_read = figure(&format!("/{input}_tokens_details/cached_tokens")).min(prompt);
    let cache_write = figure(&format!("/{input}_tokens_details/cache_write_tokens")).min(prompt - cache_read);
    let answer = figure(&format!("/{output}_tokens"));
    // xAI's models count reasoning apart from the answer, which only the total says.
    let reasoning = figure(&format!("/{output}_tokens_details/reasoning_tokens"));
    let is_apart = reasoning > 0
        && prompt.checked_add(answer).and_then(|sum| sum.checked_add(reasoning))
            == Some(figure("/total_tokens"));
    Usage {
        input: prompt - cache_read - cache_write,
        cache_read,
        cache_write,
        output: if is_apart { answer.saturating_add(reasoning) } else { answer },
        searches: 0,
    }
}
