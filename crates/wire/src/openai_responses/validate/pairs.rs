//! Calls and outputs belong together.

use std::collections::HashSet;

use serde_json::Value;

use super::items::kind;
use crate::validate::body::{Faults, text};

/// Kinds of calls that the client answers: the call, its output, and what the API calls it.
const KINDS: &[(&str, &str, &str)] = &[
    ("function_call", "function_call_output", "function call"),
    ("custom_tool_call", "custom_tool_call_output", "custom tool call"),
];

/// Each call has an output after it, and each output a call before it, unless the provider has stored that one.
pub(super) fn check(items: &[Value], stored: bool, faults: &mut Faults) {
    for (call, output, words) in KINDS {
        let mut asked: Vec<(usize, &str)> = Vec::new();
        let mut known = HashSet::new();
        let mut answered = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            let id = text(item, "call_id").unwrap_or_default();
            let path = format!("input[{index}]");
            if kind(item) == *call {
                asked.push((index, id));
                let rule = "the call_id of a call must be unique";
                faults.unless(known.insert(id), format!("{path}.call_id"), rule);
            } else if kind(item) == *output {
                if !stored && !known.contains(id) {
                    faults.add(path, format!("No tool call found for {words} output with call_id {id}."));
                } else if !answered.insert(id) {
                    faults.add(path, format!("call_id {id} is answered twice"));
                }
            }
        }
        for (index, id) in asked.iter().filter(|(_, id)| !answered.contains(id)) {
            faults.add(format!("input[{index}]"), format!("No tool output found for {words} {id}."));
        }
    }
}
