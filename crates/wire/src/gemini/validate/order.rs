//! How contents follow each other: turns, calls and their results, and signatures.

use serde_json::Value;

use crate::validate::body::{Faults, items, text};

/// Checks the order of all contents.
pub(super) fn check(contents: &[Value], signing: bool, faults: &mut Faults) {
    let mut last = "";
    let mut calls: Vec<&Value> = Vec::new();
    let mut ids = std::collections::HashSet::new();
    for (index, content) in contents.iter().enumerate() {
        let role = text(content, "role").unwrap_or_default();
        let path = format!("contents[{index}]");
        if role == last && matches!(role, "user" | "model") {
            faults.add(format!("{path}.role"), format!("two contents of role '{role}' in a row"));
        }
        let results = parts(content, "functionResponse");
        if role == "user" {
            self::results(&path, &calls, &results, faults);
        } else if !calls.is_empty() {
            faults.add(path.clone(), COUNT);
        }
        calls = if role == "model" { parts(content, "functionCall") } else { Vec::new() };
        if !calls.is_empty() && last != "user" {
            let rule = "Please ensure that function call turn comes immediately after a user turn or after a function \
                        response turn.";
            faults.add(path.clone(), rule);
        }
        for id in calls.iter().filter_map(|call| text(call, "id")) {
            faults.unless(ids.insert(id), path.clone(), "the id of a call must be unique");
        }
        last = role;
    }
    let waits = !calls.is_empty();
    faults.unless(!waits, format!("contents[{}]", contents.len().saturating_sub(1)), COUNT);
    if signing {
        signatures(contents, faults);
    }
}

const COUNT: &str = "Please ensure that the number of function response parts is equal to the number of function call \
                     parts of the function call turn.";

/// A result names its call by id, or by name and place.
fn results(path: &str, calls: &[&Value], results: &[&Value], faults: &mut Faults) {
    if calls.len() != results.len() {
        faults.add(path, COUNT);
        return;
    }
    let same = |call: &&Value, result: &&Value, field: &str| text(call, field) == text(result, field);
    for (call, result) in calls.iter().zip(results) {
        let name = text(result, "name").unwrap_or_default();
        if !same(call, result, "name") {
            faults.add(path, format!("the response of '{name}' is at the place of another call"));
        } else if text(result, "id").is_some() && !same(call, result, "id") {
            faults.add(path, format!("the response of '{name}' has the id of another call"));
        }
    }
}

/// Only the current turn is checked: what follows the last content of the user that is more than results.
fn signatures(contents: &[Value], faults: &mut Faults) {
    let begins = |content: &Value| {
        text(content, "role") == Some("user") && parts(content, "functionResponse").is_empty()
    };
    let turn = contents.iter().rposition(begins).map_or(0, |begin| begin + 1);
    for (index, content) in contents.iter().enumerate().skip(turn) {
        let first = items(content, "parts").iter().find(|part| part.get("functionCall").is_some());
        let Some(first) = first else { continue };
        let signed = text(first, "thoughtSignature").is_some_and(|signed| !signed.is_empty());
        if !signed {
            let name = first.pointer("/functionCall/name").and_then(Value::as_str).unwrap_or_default();
            let rule = format!(
                "Function call `{name}` in the `{}.` content block is missing a `thought_signature`.",
                index + 1
            );
            faults.add(format!("contents[{index}]"), rule);
        }
    }
}

fn parts<'a>(content: &'a Value, field: &str) -> Vec<&'a Value> {
    items(content, "parts").iter().filter_map(|part| part.get(field)).collect()
}
