//! Tool calls that a server did not read out of the text of its model.

use serde_json::{Deserializer, Value};
use throughline_text::without_fence;

/// The marks that calls begin with, at the begin of a line.
const MARKS: &[&str] = &[
    // Qwen and Hermes, GLM; Qwen's coders and Llama.
    "<tool_call>",
    "<tool_call name=",
    "<function=",
    "<|python_tag|>",
    // Mistral, Kimi, DeepSeek, Granite, Gemma.
    "[TOOL_CALLS]",
    "<|tool_calls_section_begin|>",
    "<\u{ff5c}tool\u{2581}calls\u{2581}begin\u{ff5c}>",
    "<\u{ff5c}DSML\u{ff5c}invoke name=",
    "<|tool_call|>",
    "<start_function_call>",
    "```tool_code",
    // Claude, MiniMax.
    "<invoke name=",
    // The open models of OpenAI.
    "<|start|>assistant<|channel|>commentary to=functions.",
    "<|channel|>commentary to=functions.",
    "assistantcommentary to=functions.",
];

/// What stands before the name of a tool, where the name is not a field of JSON.
const BEFORE_NAME: &[&str] = &[
    "<function=",
    "name=\"",
    "functions.",
    "default_api.",
    "<start_function_call>call:",
    // The older form has the word `function` before it.
    "<\u{ff5c}tool\u{2581}call\u{2581}begin\u{ff5c}>function<\u{ff5c}tool\u{2581}sep\u{ff5c}>",
    "<\u{ff5c}tool\u{2581}call\u{2581}begin\u{ff5c}>",
    "[TOOL_CALLS]",
    "<tool_call>",
];

/// Returns true if a line of the text begins with the mark of a tool call.
#[must_use]
pub fn holds_call(text: &str) -> bool {
    last_call(text).is_some()
}

/// The tool that the text ends with a whole call of, in the form of a template, or that the whole text is a call of, as one JSON object
/// with a name and arguments. Whether there is such a tool is for the caller to say.
#[must_use]
pub fn called_as_text(text: &str) -> Option<String> {
    let Some(call) = last_call(text) else {
        return name_in_json(without_fence(text)).filter(|_| is_whole(text));
    };
    if !is_whole(call) {
        return None;
    }
    let of_json = call.find('{').and_then(|start| name_in_json(call.get(start..)?));
    of_json.or_else(|| BEFORE_NAME.iter().find_map(|before| name(call.split_once(before)?.1)))
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

/// Returns true if nothing but the end of a call stands at the end: the end of JSON, of a list of arguments or of a block of code, or a
/// mark that ends something.
fn is_whole(call: &str) -> bool {
    let call = call.trim_end();
    let ends = || {
        let mark = call.rsplit_once('<')?.1.strip_suffix('>')?;
        Some(mark.starts_with('/') || mark.contains("end") || mark == "|call|")
    };
    call.ends_with(['}', ']', ')']) || call.ends_with("```") || ends() == Some(true)
}

/// The name of a call that begins here as one whole JSON object.
fn name_in_json(text: &str) -> Option<String> {
    let call = Deserializer::from_str(text).into_iter::<Value>().next()?.ok()?;
    let has_arguments =
        call.get("arguments").or_else(|| call.get("parameters")).is_some_and(Value::is_object);
    has_arguments.then(|| call.get("name")?.as_str().map(str::to_owned))?
}

/// The name that a text begins with.
fn name(text: &str) -> Option<String> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let name: String = text.trim_start().chars().take_while(|letter| is_of_name(*letter)).collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests;
