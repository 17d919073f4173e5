//! Tool calls that a server did not read out of the text of its model.

use serde_json::Value;

/// The marks that calls begin with, in the templates of Qwen and Hermes, of Qwen's coders and Llama, Mistral, Kimi, and DeepSeek.
const MARKS: &[&str] = &[
    "<tool_call>",
    "<function=",
    "[TOOL_CALLS]",
    "<|tool_calls_section_begin|>",
    "<|python_tag|>",
    "<\u{ff5c}tool\u{2581}calls\u{2581}begin\u{ff5c}>",
];

/// Returns true if a line of the text begins with the mark of a tool call.
#[must_use]
pub fn holds_call(text: &str) -> bool {
    last_call(text).is_some()
}

/// The tool that the text ends with a whole call of: a name and arguments as one JSON object behind the mark, with at most an end
/// mark after it.
#[must_use]
pub fn called_as_text(text: &str) -> Option<String> {
    let call = last_call(text)?;
    let (start, end) = (call.find('{')?, call.rfind('}')?);
    let ends = call.get(end.saturating_add(1)..)?.trim();
    let call: Value = serde_json::from_str(call.get(start..=end)?).ok()?;
    let whole = call.get("arguments").or_else(|| call.get("parameters")).is_some_and(Value::is_object);
    let name = call.get("name")?.as_str()?.to_owned();
    (whole && (ends.is_empty() || ends == "</tool_call>")).then_some(name)
}

/// The text from the last mark on.
fn last_call(text: &str) -> Option<&str> {
    let at = |mark: &&str| {
        let at = text.rfind(*mark)?;
        let begins_line = text.get(..at)?.trim_end_matches([' ', '\t']);
        (begins_line.is_empty() || begins_line.ends_with('\n')).then_some(at)
    };
    text.get(MARKS.iter().filter_map(at).max()?..)
}

#[cfg(test)]
mod tests;
