//! How messages follow each other: calls and their results, and turns.

use std::collections::HashSet;

use serde_json::Value;

use crate::validate::body::{Faults, items, text};
use crate::validate::fault::Alternation;

/// A call that waits for its result.
#[derive(Debug)]
struct Waiting<'a> {
    name: &'a str,
    /// Newer servers give ids, older ones none.
    id: Option<&'a str>,
}

/// The calls of the last message of the model.
#[derive(Debug, Default)]
struct Open<'a> {
    /// Index of the message with the calls; `None` when no such message comes right before.
    asked_by: Option<usize>,
    waiting: Vec<Waiting<'a>>,
}

/// Checks the order of all messages.
pub(super) fn check(messages: &[Value], alternation: Alternation, faults: &mut Faults) {
    let mut open = Open::default();
    let mut seen = HashSet::new();
    let mut last = "";
    for (index, message) in messages.iter().enumerate() {
        let role = text(message, "role").unwrap_or_default();
        if role == "tool" {
            result(index, message, &mut open, faults);
        } else {
            close(&mut open, faults);
        }
        let calls = if role == "assistant" { items(message, "tool_calls") } else { &[] };
        for (at, call) in calls.iter().enumerate() {
            let name = call.get("function").and_then(|function| text(function, "name")).unwrap_or_default();
            let id = text(call, "id").filter(|id| !id.is_empty());
            let fresh = id.is_none_or(|id| seen.insert(id));
            let path = format!("messages[{index}].tool_calls[{at}].id");
            faults.unless(fresh, path, "the id of a call must be unique");
            open.asked_by = Some(index);
            open.waiting.push(Waiting { name, id });
        }
        if alternation == Alternation::Strict {
            turns(index, last, role, faults);
        }
        last = role;
    }
    close(&mut open, faults);
}

/// A result names its call by id, by name or by its place alone.
fn result(index: usize, message: &Value, open: &mut Open<'_>, faults: &mut Faults) {
    let path = format!("messages[{index}]");
    if open.asked_by.is_none() {
        faults.add(path, "a message of role 'tool' must follow an assistant message with 'tool_calls'");
        return;
    }
    let id = text(message, "tool_call_id").filter(|id| !id.is_empty());
    let name = text(message, "tool_name").filter(|name| !name.is_empty());
    let fits = |call: &Waiting<'_>| match (id, call.id) {
        (Some(id), Some(asked)) => id == asked,
        _ => name.is_none_or(|name| name == call.name),
    };
    if let Some(at) = open.waiting.iter().position(fits) {
        open.waiting.remove(at);
    } else if open.waiting.is_empty() {
        faults.add(path, "there are more results than calls");
    } else {
        let said = id.or(name).unwrap_or_default();
        faults.add(path, format!("no call before it waits for a result of '{said}'"));
    }
}

/// Ends the waiting for results: another message came.
fn close(open: &mut Open<'_>, faults: &mut Faults) {
    let open = std::mem::take(open);
    if let Some(index) = open.asked_by
        && !open.waiting.is_empty()
    {
        let names: Vec<&str> = open.waiting.iter().map(|call| call.id.unwrap_or(call.name)).collect();
        let rule = "tool calls without a result right after:";
        faults.add(format!("messages[{index}]"), format!("{rule} {}", names.join(", ")));
    }
}

fn turns(index: usize, last: &str, role: &str, faults: &mut Faults) {
    let path = format!("messages[{index}].role");
    if role == last && matches!(role, "user" | "assistant") {
        faults.add(path, format!("two messages of role '{role}' in a row"));
    } else if role == "system" && !matches!(last, "" | "system") {
        faults.add(path, "a system message must come before all others");
    }
}
