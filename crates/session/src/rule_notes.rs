//! Permission rules that can never apply, because no tool has their name.

use throughline_conversation::WEB_SEARCH;
use throughline_permission::{Permissions, PlacedRule};
use throughline_text::{headline, nearest_name};
use throughline_tools::ToolRegistry;

/// Names of groups of tools, and of the tool that a rule keeps out of a session.
const GROUPS: [&str; 3] = ["read", "edit", WEB_SEARCH];

/// Maximum characters of a rule that are shown.
const SHOWN: usize = 80;

/// A note for each rule that names none of these tools: a misspelled `deny` protects nothing. A rule for a tool of a server is
/// left out, as the server may be away today.
pub(crate) fn rule_notes(permissions: &Permissions, tools: &ToolRegistry) -> Vec<String> {
    let names: Vec<&str> = tools.names().chain(GROUPS).collect();
    let applies = |rule: &PlacedRule| {
        rule.rule.tool().starts_with("mcp__") || names.iter().any(|name| rule.rule.is_of_tool(name))
    };
    permissions.rules().iter().filter(|rule| !applies(rule)).map(|rule| note(rule, &names)).collect()
}

fn note(rule: &PlacedRule, names: &[&str]) -> String {
    let PlacedRule { kind, rule, place } = rule;
    let meant = nearest_name(rule.tool(), names.iter().copied());
    let hint = meant.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let (text, tool) = (headline(rule.text(), SHOWN), headline(rule.tool(), SHOWN));
    format!("the {} rule {text} ({place}) has no effect: no tool is named {tool:?}{hint}", kind.name())
}
