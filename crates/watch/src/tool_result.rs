//! Results of tools in the payloads of hooks: which of them may be replaced, and the answer that replaces one.
//!
//! An agent takes a replacement only in the form of the tool's own result; with another form the original stays. Results that
//! edits need, such as those of Claude Code's Read, are never replaced. Those that the agent itself stores and shortens are not,
//! either: what it shows of them is less than a preview.

use serde_json::{Map, Value, json};

use crate::agent::ForeignAgent;
use crate::hooks::{OWN_SERVER, ToolUse};

/// The tools of Claude Code whose results may be replaced, as a matcher of hooks.
pub(crate) const CLAUDE_TOOLS: &str = "Bash|Grep|Glob|mcp__.*";

/// Characters from which Claude Code stores a result of Grep in a file and shows its start.
const CLAUDE_GREP: usize = 20_000;

/// The same of a result of an MCP tool, as JSON.
const CLAUDE_MCP: usize = 50_000;

/// The tools of OpenCode whose results may be replaced, apart from those of MCP servers.
const OPENCODE_TOOLS: [&str; 7] = ["bash", "grep", "glob", "list", "webfetch", "websearch", "codesearch"];

/// A result that may be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplaceableResult {
    texts: Vec<String>,
    form: Form,
}

/// The form in which the agent takes a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    /// What a command of Claude Code writes to its output and to its errors.
    Streams,
    /// What Grep of Claude Code finds. A list of files becomes a content: as names of files a preview would be counted.
    Matches { files: Value },
    /// The fields of Glob of Claude Code without the names.
    Names(Map<String, Value>),
    /// The blocks of an MCP tool. Those that are no text stay.
    Blocks(Vec<Value>),
    /// One text.
    Text,
    /// One text, which Codex takes as the reason why it shows no result.
    Reason,
}

impl ReplaceableResult {
    /// The result of a call. `None`: it stays whole.
    #[must_use]
    pub fn of(agent: ForeignAgent, used: &ToolUse<'_>) -> Option<Self> {
        let own = [format!("mcp__{OWN_SERVER}__"), format!("{OWN_SERVER}_")];
        if own.iter().any(|begin| used.tool.starts_with(begin)) {
            return None;
        }
        match agent {
            ForeignAgent::Claude => claude(used),
            ForeignAgent::Codex => codex(used),
            ForeignAgent::OpenCode => opencode(used),
            ForeignAgent::Gemini => None,
        }
    }

    /// What may be replaced, each text by one.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The answer of a hook that shows the model these texts, one for each of [`texts`](Self::texts).
    #[must_use]
    pub fn answer(&self, shown: &[String]) -> Value {
        let all = || shown.join("\n");
        let output = match &self.form {
            Form::Reason => return json!({"decision": "block", "reason": all()}),
            Form::Text => Value::from(all()),
            Form::Streams => {
                let stream = |number: usize| shown.get(number).map(String::as_str).unwrap_or_default();
                json!({"stdout": stream(0), "stderr": stream(1), "interrupted": false, "isImage": false})
            }
            Form::Matches { files } => {
                let lines = self.texts.iter().map(|text| text.lines().count()).sum::<usize>();
                json!({"mode": "content", "numFiles": files, "filenames": [], "content": all(), "numLines": lines})
            }
            Form::Names(fields) => {
                let mut fields = fields.clone();
                fields.insert("filenames".to_owned(), json!([all()]));
                Value::Object(fields)
            }
            Form::Blocks(blocks) => {
                let mut shown = shown.iter();
                let block = |block: &Value| match text_of(block) {
                    Some(_) => json!({"type": "text", "text": shown.next()}),
                    None => block.clone(),
                };
                blocks.iter().map(block).collect()
            }
        };
        json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": output}})
    }

    fn text(text: &str) -> Self {
        Self { texts: vec![text.to_owned()], form: Form::Text }
    }

    fn blocks(blocks: &[Value]) -> Self {
        let texts = blocks.iter().filter_map(text_of).map(str::to_owned).collect();
        Self { texts, form: Form::Blocks(blocks.to_vec()) }
    }
}

fn text_of(block: &Value) -> Option<&str> {
    let is_text = block.get("type").and_then(Value::as_str) == Some("text");
    block.get("text").and_then(Value::as_str).filter(|_| is_text)
}

fn claude(used: &ToolUse<'_>) -> Option<ReplaceableResult> {
    let field = |name: &str| used.response.get(name);
    let text = |name: &str| field(name).and_then(Value::as_str);
    let is = |name: &str| field(name).and_then(Value::as_bool) == Some(true);
    match used.tool {
        "Bash" if is("isImage") || is("interrupted") || field("persistedOutputPath").is_some() => None,
        "Bash" => {
            let texts = vec![text("stdout")?.to_owned(), text("stderr")?.to_owned()];
            Some(ReplaceableResult { texts, form: Form::Streams })
        }
        "Grep" => {
            let found = text("content").map(str::to_owned).or_else(|| names(used.response))?;
            let files = field("numFiles").cloned().unwrap_or(Value::from(0));
            (found.chars().count() <= CLAUDE_GREP)
                .then(|| ReplaceableResult { texts: vec![found], form: Form::Matches { files } })
        }
        "Glob" => {
            let fields = used.response.as_object()?.clone();
            Some(ReplaceableResult { texts: vec![names(used.response)?], form: Form::Names(fields) })
        }
        tool if tool.starts_with("mcp__") => match used.response {
            Value::String(text) => Some(ReplaceableResult::text(text)),
            Value::Array(blocks) if used.response.to_string().chars().count() <= CLAUDE_MCP => {
                Some(ReplaceableResult::blocks(blocks))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The names of files, one on a line.
fn names(response: &Value) -> Option<String> {
    let names = response.get("filenames")?.as_array()?.iter().map(Value::as_str);
    Some(names.collect::<Option<Vec<_>>>()?.join("\n"))
}

fn codex(used: &ToolUse<'_>) -> Option<ReplaceableResult> {
    let text = match used.response {
        Value::String(text) if used.tool == "Bash" || used.tool.starts_with("mcp__") => text.clone(),
        response if used.tool.starts_with("mcp__") => {
            let blocks = response.get("content")?.as_array()?.iter().map(text_of);
            blocks.collect::<Option<Vec<_>>>()?.join("\n")
        }
        _ => return None,
    };
    Some(ReplaceableResult { texts: vec![text], form: Form::Reason })
}

fn opencode(used: &ToolUse<'_>) -> Option<ReplaceableResult> {
    match used.response {
        Value::String(text) if OPENCODE_TOOLS.contains(&used.tool) => Some(ReplaceableResult::text(text)),
        // Only tools of MCP servers answer in blocks.
        Value::Array(blocks) => Some(ReplaceableResult::blocks(blocks)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
