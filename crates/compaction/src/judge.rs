//! Checks a summary that a model wrote.

use throughline_conversation::TokenCounter;

use crate::template::Template;
use crate::words::fit;

/// How a refusal begins.
const REFUSALS: &[&str] = &[
    "i can't",
    "i can’t",
    "i cannot",
    "i'm sorry",
    "i’m sorry",
    "i am sorry",
    "i'm unable",
    "i am unable",
    "as an ai",
];
/// Signs of a tool call written as plain text.
const CALLS: &[&str] = &["<tool_call", "<function_call", "<invoke", "\"tool_calls\""];

/// The usable part of a summary: without its analysis, and within its budget. `replaced` are the tokens of the messages
/// that it replaces.
///
/// # Errors
/// The reason why it cannot be used.
pub(crate) fn judge(
    text: &str,
    replaced: u64,
    budget: u64,
    template: &Template,
    counter: &dyn TokenCounter,
) -> Result<String, String> {
    let text = without_analysis(text);
    let text = text.trim();
    if text.is_empty() {
        return Err("the summary is empty".to_owned());
    }
    let start: String = text.chars().take(40).collect::<String>().to_lowercase();
    if REFUSALS.iter().any(|refusal| start.starts_with(refusal)) {
        return Err(format!("the summary is a refusal: {start:?}"));
    }
    if CALLS.iter().any(|call| text.contains(call)) {
        return Err("the summary calls a tool".to_owned());
    }
    if let Some(heading) = template.missing_heading(text) {
        return Err(format!("the summary lacks the heading {heading:?}"));
    }
    let tokens = counter.text(text);
    if tokens >= replaced {
        return Err(format!("the summary has {tokens} tokens, the messages have {replaced}"));
    }
    // Somewhat too long is cut; far too long is no summary.
    if tokens > budget.saturating_mul(3) {
        return Err(format!("the summary has {tokens} tokens, {budget} were asked for"));
    }
    Ok(fit(text, budget, counter))
}

fn without_analysis(text: &str) -> String {
    match (text.split_once("<analysis>"), text.rsplit_once("</analysis>")) {
        (Some((before, _)), Some((_, after))) => format!("{before}{after}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
