//! The rules of Anthropic's Messages API.

mod blocks;
mod markers;
mod pairs;
mod provider_pairs;
mod thinking;
mod turns;

use std::collections::HashSet;

use serde_json::Value;

use crate::anthropic::ThinkingForm;
use crate::validate::body::{Faults, is_plain, items, text};
use crate::validate::fault::{Alternation, WireFault};
use turns::RoleRun;

/// The rules that the body of `POST /v1/messages` breaks, with strictly alternating roles and any form of thinking; empty if
/// it is valid.
#[must_use]
pub fn anthropic(body: &Value) -> Vec<WireFault> {
    anthropic_with(body, Alternation::Strict, None)
}

/// The same with a choice about two messages of one role in a row, and for a model that takes this form of thinking. `None`:
/// it takes any.
#[must_use]
pub fn anthropic_with(body: &Value, alternation: Alternation, takes: Option<ThinkingForm>) -> Vec<WireFault> {
    Faults::of(body, |faults| {
        head(body, faults);
        tools(body, faults);
        system(body, faults);
        let turns = turns::read(body, alternation, faults);
        if body.get("compaction").is_none_or(Value::is_null) && !provider_pairs::is_continued(&turns) {
            turns::check_end(&turns, faults);
        }
        blocks::check(&turns, faults);
        pairs::check(&turns, faults);
        provider_pairs::check(&turns, faults);
        thinking::check(body, &turns, takes, faults);
        tools_for_calls(body, &turns, faults);
        markers::check(body, &turns, faults);
    })
}

fn head(body: &Value, faults: &mut Faults) {
    match text(body, "model") {
        None => faults.add("model", "Field required"),
        Some(name) => faults.unless(!name.is_empty(), "model", "String should have at least 1 character"),
    }
    match body.get("max_tokens") {
        None => faults.add("max_tokens", "Field required"),
        Some(most) => {
            let holds = most.as_u64().is_some_and(|most| most > 0);
            faults.unless(holds, "max_tokens", "Input should be greater than or equal to 1");
        }
    }
}

fn tools(body: &Value, faults: &mut Faults) {
    let mut names = HashSet::new();
    for (index, tool) in items(body, "tools").iter().enumerate() {
        let path = format!("tools.{index}");
        let name = text(tool, "name").unwrap_or_default();
        let form = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
        faults.unless(is_plain(name, 128), format!("{path}.name"), form);
        faults.unless(names.insert(name), "tools", "Tool names must be unique.");
        // A tool with a type of its own is run by the provider and has no schema.
        if text(tool, "type").is_none_or(|kind| kind == "custom") {
            let schema = tool.get("input_schema").and_then(|schema| text(schema, "type"));
            let path = format!("{path}.custom.input_schema.type");
            faults.unless(schema == Some("object"), path, "Input should be 'object'");
        }
    }
}

fn system(body: &Value, faults: &mut Faults) {
    match body.get("system") {
        None | Some(Value::String(_)) => {}
        Some(Value::Array(sections)) => {
            for (index, section) in sections.iter().enumerate() {
                let path = format!("system.{index}");
                faults.unless(
                    text(section, "type") == Some("text"),
                    format!("{path}.type"),
                    "Input should be 'text'",
                );
                let says = text(section, "text").is_some_and(|text| !text.is_empty());
                faults.unless(says, path, "text content blocks must be non-empty");
            }
        }
        Some(_) => faults.add("system", "Input should be a valid string or a valid list"),
    }
}

fn tools_for_calls(body: &Value, turns: &[RoleRun<'_>], faults: &mut Faults) {
    let mut blocks = turns.iter().flat_map(|turn| &turn.blocks);
    if blocks.any(|block| matches!(block.kind, "tool_use" | "tool_result")) && items(body, "tools").is_empty()
    {
        faults.add("tools", "Requests which include `tool_use` or `tool_result` blocks must define tools");
    }
}
