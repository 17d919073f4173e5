//! Calls in the names that hook scripts know: those of Claude Code.

use std::path::Path;

use serde_json::{Map, Value, json};
use throughline_conversation::ToolCall;

use self::Form::{Items, Millis, Path as FilePath, Same};

/// How a value is written in the other form.
#[derive(Debug, Clone, Copy)]
enum Form {
    Same,
    /// A path in the workspace, absolute in the other form.
    Path,
    /// Seconds, milliseconds in the other form.
    Millis,
    /// Items of a checklist.
    Items,
}

/// A tool under another name, with its arguments: the own name, the other one, and how the value is written.
struct ForeignTool {
    own: &'static str,
    names: &'static [&'static str],
    arguments: &'static [(&'static str, &'static str, Form)],
}

const TOOLS: &[ForeignTool] = &[
    ForeignTool {
        own: "shell",
        names: &["Bash"],
        arguments: &[
            ("command", "command", Same),
            ("timeout_seconds", "timeout", Millis),
            ("background", "run_in_background", Same),
        ],
    },
    ForeignTool {
        own: "read_file",
        names: &["Read"],
        arguments: &[("path", "file_path", FilePath), ("offset", "offset", Same), ("limit", "limit", Same)],
    },
    ForeignTool {
        own: "write_file",
        names: &["Write"],
        arguments: &[("path", "file_path", FilePath), ("content", "content", Same)],
    },
    ForeignTool {
        own: "edit_file",
        names: &["Edit"],
        arguments: &[
            ("path", "file_path", FilePath),
            ("old_string", "old_string", Same),
            ("new_string", "new_string", Same),
            ("replace_all", "replace_all", Same),
        ],
    },
    ForeignTool {
        own: "multi_edit",
        names: &["MultiEdit"],
        arguments: &[("path", "file_path", FilePath), ("edits", "edits", Same)],
    },
    ForeignTool {
        own: "grep",
        names: &["Grep"],
        arguments: &[
            ("pattern", "pattern", Same),
            ("path", "path", FilePath),
            ("glob", "glob", Same),
            ("ignore_case", "-i", Same),
        ],
    },
    ForeignTool {
        own: "list_files",
        names: &["Glob"],
        arguments: &[("glob", "pattern", Same), ("path", "path", FilePath)],
    },
    ForeignTool { own: "fetch", names: &["WebFetch"], arguments: &[("url", "url", Same)] },
    ForeignTool { own: "web_search", names: &["WebSearch"], arguments: &[("query", "query", Same)] },
    ForeignTool { own: "update_checklist", names: &["TodoWrite"], arguments: &[("items", "todos", Items)] },
    ForeignTool {
        own: "agent",
        names: &["Task", "Agent"],
        arguments: &[
            ("prompt", "prompt", Same),
            ("agent", "subagent_type", Same),
            ("title", "description", Same),
        ],
    },
];

fn tool(own: &str) -> Option<&'static ForeignTool> {
    TOOLS.iter().find(|tool| tool.own == own)
}

/// All names of a tool, the one that scripts know first.
pub(crate) fn names(own: &str) -> Vec<String> {
    let foreign = tool(own).map_or(&[] as &[&str], |tool| tool.names);
    foreign.iter().copied().chain([own]).map(str::to_owned).collect()
}

/// The own name of a tool that may be named as scripts know it.
#[must_use]
pub fn own_name(name: &str) -> &str {
    TOOLS.iter().find(|tool| tool.names.contains(&name)).map_or(name, |tool| tool.own)
}

/// The name and the arguments of a call as scripts know them. A tool or an argument without another form is unchanged.
#[must_use]
pub fn foreign_call(call: &ToolCall, workspace: &Path) -> (String, Value) {
    let (Some(tool), Some(input)) = (tool(&call.name), call.input.as_object()) else {
        return (call.name.clone(), call.input.clone());
    };
    let renamed =
        input.iter().map(|(own, value)| match tool.arguments.iter().find(|(name, ..)| name == own) {
            Some((_, foreign, form)) => ((*foreign).to_owned(), form.to_foreign(value, workspace)),
            None => (own.clone(), value.clone()),
        });
    let name = tool.names.first().copied().unwrap_or(tool.own);
    (name.to_owned(), Value::Object(renamed.collect()))
}

/// Arguments that a script has changed, in the form of the tool. Unknown ones are unchanged, so that the tool
/// reports them.
#[must_use]
pub fn own_input(name: &str, changed: &Value, workspace: &Path) -> Value {
    let (Some(tool), Some(input)) = (tool(name), changed.as_object()) else { return changed.clone() };
    let renamed = input.iter().filter(|(key, _)| !(tool.own == "shell" && *key == "description"));
    let renamed =
        renamed.map(|(foreign, value)| match tool.arguments.iter().find(|(_, name, _)| name == foreign) {
            Some((own, _, form)) => ((*own).to_owned(), form.to_own(value, workspace)),
            None => (foreign.clone(), value.clone()),
        });
    Value::Object(renamed.collect())
}

impl Form {
    fn to_foreign(self, value: &Value, workspace: &Path) -> Value {
        match (self, value) {
            (Self::Path, Value::String(path)) => json!(workspace.join(path)),
            (Self::Millis, Value::Number(seconds)) => {
                seconds.as_u64().map_or_else(|| value.clone(), |seconds| json!(seconds.saturating_mul(1_000)))
            }
            (Self::Items, Value::Array(items)) => {
                items.iter().map(|item| with_key(item, "description", "content")).collect()
            }
            _ => value.clone(),
        }
    }

    fn to_own(self, value: &Value, workspace: &Path) -> Value {
        match (self, value) {
            (Self::Path, Value::String(path)) => {
                json!(Path::new(path).strip_prefix(workspace).unwrap_or(Path::new(path)))
            }
            (Self::Millis, Value::Number(millis)) => {
                millis.as_u64().map_or_else(|| value.clone(), |millis| json!(millis.div_ceil(1_000).max(1)))
            }
            (Self::Items, Value::Array(items)) => {
                items.iter().map(|item| with_key(item, "content", "description")).collect()
            }
            _ => value.clone(),
        }
    }
}

/// The object with a key under another name.
fn with_key(item: &Value, from: &str, to: &str) -> Value {
    let Some(fields) = item.as_object() else { return item.clone() };
    let renamed = |key: &String| if key == from { to.to_owned() } else { key.clone() };
    Value::Object(fields.iter().map(|(key, value)| (renamed(key), value.clone())).collect::<Map<_, _>>())
}

/// What a call returned, in the shape that scripts read: an object with the text under the keys of the tool.
pub(crate) fn response(call: &ToolCall, text: &str, workspace: &Path) -> Value {
    let path = || call.input.get("path").and_then(Value::as_str).map(|path| workspace.join(path));
    match call.name.as_str() {
        "shell" => json!({ "stdout": text, "stderr": "", "interrupted": false, "isImage": false }),
        "read_file" => json!({ "type": "text", "file": { "filePath": path(), "content": text } }),
        "write_file" | "edit_file" | "multi_edit" => {
            json!({ "filePath": path(), "success": true, "content": text })
        }
        _ => json!({ "content": text }),
    }
}

#[cfg(test)]
mod tests;
