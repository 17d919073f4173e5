//! Trajectories of mini-swe-agent and SWE-agent: a list of messages in the form of the Chat Completions API.
//!
//! If commands are in the model's text, there are no calls: each answer ends a turn, and what the command
//! wrote is the next message of the user.

use serde_json::Value;
use throughline_conversation::{Role, ToolResult, Usage};

use super::content::{answer, call, count, get, list, owned, parts, text_of, thinking, time};
use super::draft::RecordingDraft;

/// Reads the list of this name in the document.
pub(super) fn read(document: &Value, messages: &str) -> RecordingDraft {
    let mut draft = RecordingDraft {
        id: text_of(document, "instance_id").map(str::to_owned),
        ..RecordingDraft::default()
    };
    draft.named(model(document));
    let (mut spoken, mut unknown) = (false, 0);
    for message in list(document, messages) {
        let extra = message.get("extra").unwrap_or(&Value::Null);
        draft.now = time(message, "timestamp").or_else(|| time(extra, "timestamp"));
        match text_of(message, "role") {
            Some("system" | "developer") if !spoken => draft.system.push(answer(message.get("content")).0),
            Some("assistant") => {
                spoken = true;
                unknown += assistant(&mut draft, message);
            }
            Some("tool") => unknown += tool(&mut draft, message),
            // What the agent handed in at the end; no model saw it.
            Some("exit") => {}
            Some("user" | "system" | "developer") => {
                spoken = true;
                let (content, other) = parts(message.get("content"));
                unknown += other;
                draft.user(content);
            }
            _ => unknown += 1,
        }
    }
    draft.left_out(unknown, "messages or blocks of a kind that is not known");
    draft
}

fn model(document: &Value) -> Option<&str> {
    let paths: [&[&str]; 2] = [&["info", "config", "model", "model_name"], &["info", "model"]];
    paths.iter().find_map(|path| get(document, path)?.as_str())
}

fn assistant(draft: &mut RecordingDraft, message: &Value) -> usize {
    let mut content = Vec::new();
    content.extend(thinking(&owned(message, "reasoning_content"), None, None));
    let (blocks, unknown) = parts(message.get("content"));
    content.extend(blocks);
    for tool_call in list(message, "tool_calls") {
        let function = tool_call.get("function").unwrap_or(tool_call);
        content.push(call(owned(tool_call, "id"), owned(function, "name"), function.get("arguments")));
    }
    draft.say(Role::Assistant, content, usage(message));
    unknown
}

fn tool(draft: &mut RecordingDraft, message: &Value) -> usize {
    let (said, images, other) = answer(message.get("content"));
    let one = text_of(message, "tool_call_id");
    let call_id = one.or_else(|| list(message, "tool_call_ids").first()?.as_str()).unwrap_or_default();
    draft.result(ToolResult { call_id: call_id.to_owned(), content: said, images, is_error: false });
    other
}

/// The API's own report, which counts what was read from the cache within the prompt.
fn usage(message: &Value) -> Option<Usage> {
    let usage = get(message, &["extra", "response", "usage"])?;
    let read = count(usage, &["prompt_tokens_details", "cached_tokens"]);
    let prompt = count(usage, &["prompt_tokens"]);
    let usage = Usage {
        input: prompt.saturating_sub(read),
        cache_read: read.min(prompt),
        cache_write: 0,
        output: count(usage, &["completion_tokens"]),
        searches: 0,
    };
    (usage.prompt() > 0).then_some(usage)
}
