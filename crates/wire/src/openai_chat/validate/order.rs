//! How messages follow each other: calls and their results, and turns.

use std::collections::HashSet;

use serde_json::Value;

use crate::validate::body::{Faults, items, text};
use crate::validate::fault::Alternation;

/// Calls that wait for results.
#[derive(Debug, Default)]
struct Open<'a> {
    /// Index of the message with the calls; `None` when no such message comes right before.
    asked_by: Option<usize>,
    waiting: Vec<&'a str>,
    answered: HashSet<&'a str>,
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
        if role == "assistant" {
            let calls = items(message, "tool_calls").iter().filter_map(|call| text(call, "id"));
            open.waiting.extend(calls);
            open.asked_by = (!open.waiting.is_empty()).then_some(index);
            for id in &open.waiting {
                let rule = "the id of a tool call must be unique";
                faults.unless(seen.insert(*id), format!("messages.[{index}].tool_calls"), rule);
            }
        }
        if alternation == Alternation::Strict {
            turns(index, last, role, faults);
        }
        last = role;
    }
    close(&mut open, faults);
}

fn result<'a>(index: usize, message: &'a Value, open: &mut Open<'a>, faults: &mut Faults) {
    let id = text(message, "tool_call_id").unwrap_or_default();
    if let Some(at) = open.waiting.iter().position(|waiting| *waiting == id) {
        open.waiting.remove(at);
        open.answered.insert(id);
    } else if open.answered.contains(id) {
        faults.add(format!("messages.[{index}]"), format!("tool_call_id {id} is answered twice"));
    } else {
        let rule = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with \
                    'tool_calls'.";
        faults.add(format!("messages.[{index}].role"), rule);
    }
}

/// Ends the waiting for results: another message came.
fn close(open: &mut Open<'_>, faults: &mut Faults) {
    let open = std::mem::take(open);
    if let Some(index) = open.asked_by
        && !open.waiting.is_empty()
    {
        let message = format!(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each \
             'tool_call_id'. The following tool_call_ids did not have response messages: {}",
            open.waiting.join(", ")
        );
        faults.add(format!("messages.[{index}]"), message);
    }
}

fn turns(index: usize, last: &str, role: &str, faults: &mut Faults) {
    let path = format!("messages.[{index}].role");
    if role == last && matches!(role, "user" | "assistant") {
        let rule = "roles must alternate between 'user' and 'assistant', but found two messages of role";
        faults.add(path, format!("{rule} '{role}' in a row"));
    } else if matches!(role, "system" | "developer") && !matches!(last, "" | "system" | "developer") {
        faults.add(path, "a system message must come before all others");
    }
}
