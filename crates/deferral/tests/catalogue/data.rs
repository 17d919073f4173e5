//! The tools and the queries, read from their files.

use serde_json::{Map, Value, json};
use throughline_conversation::{ToolDefinition, ToolOrigin};

/// All tools, as the client for MCP names them.
pub(crate) fn tools() -> Vec<ToolDefinition> {
    let mut server = "";
    let mut tools = Vec::new();
    for line in include_str!("tools.txt").lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        match line.strip_prefix("## ") {
            Some(name) => server = name,
            None => tools.push(tool(server, line)),
        }
    }
    tools
}

fn tool(server: &str, line: &str) -> ToolDefinition {
    let [name, description, arguments] = line.splitn(3, " |").collect::<Vec<_>>().try_into().unwrap();
    ToolDefinition {
        name: format!("mcp__{server}__{name}"),
        description: description.trim().to_owned(),
        input_schema: schema(arguments),
        origin: ToolOrigin::Mcp,
    }
}

/// `name`, `name?` when it is optional, with `[]`, `#` or `!` behind it for a list, a number or a flag.
fn schema(arguments: &str) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for argument in arguments.split_whitespace() {
        let name = argument.trim_end_matches(['?', '[', ']', '#', '!']);
        let kind = match argument.chars().last() {
            Some(']') => json!({"type": "array", "items": {"type": "string"}}),
            Some('#') => json!({"type": "integer"}),
            Some('!') => json!({"type": "boolean"}),
            _ => json!({"type": "string"}),
        };
        properties.insert(name.to_owned(), kind);
        if !argument.contains('?') {
            required.push(name);
        }
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// A query, and the tools any of which is right.
pub(crate) type Query = (&'static str, Vec<String>);

/// The queries that the ranker was chosen with.
pub(crate) fn queries() -> Vec<Query> {
    read(include_str!("queries.txt"))
}

/// Harder ones, often in words that no tool has. The weights and related words were there before them.
pub(crate) fn unseen() -> Vec<Query> {
    read(include_str!("unseen.txt"))
}

fn read(text: &'static str) -> Vec<Query> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    let read = |line: &'static str| {
        let (query, right) = line.split_once(" = ").unwrap();
        let full = |name: &str| format!("mcp__{}", name.replacen('.', "__", 1));
        (query, right.split_whitespace().map(full).collect())
    };
    lines.map(read).collect()
}
