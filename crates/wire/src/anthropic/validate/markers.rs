//! Cache markers: how many, of what kind, in what order, on what.

use serde_json::Value;

use super::turns::RoleRun;
use crate::validate::body::{Faults, items, text};

/// Maximum number of markers of one request, counted over tools, system prompt and messages.
const MAX_MARKERS: usize = 4;

/// Checks all markers in the order of the wire.
pub(super) fn check(body: &Value, turns: &[RoleRun<'_>], faults: &mut Faults) {
    let mut places: Vec<(String, &Value)> = Vec::new();
    for part in ["tools", "system"] {
        places
            .extend(items(body, part).iter().enumerate().map(|(at, value)| (format!("{part}.{at}"), value)));
    }
    for block in turns.iter().flat_map(|turn| &turn.blocks) {
        let inner = items(block.value, "content").iter().enumerate();
        places.extend(inner.map(|(at, value)| (format!("{}.content.{at}", block.path), value)));
        places.push((block.path.clone(), block.value));
    }
    // A marker of the body as a whole sets itself on the last block, and counts.
    places.push((String::new(), body));
    let found = || places.iter().filter(|(_, value)| value.get("cache_control").is_some());
    let count = found().count();
    if count > MAX_MARKERS {
        faults.add(
            "",
            format!("A maximum of {MAX_MARKERS} blocks with cache_control may be provided. Found {count}."),
        );
    }
    let mut short = false;
    for (path, value) in found() {
        let path = if path.is_empty() { "cache_control".to_owned() } else { format!("{path}.cache_control") };
        one(&path, value, &mut short, faults);
    }
}

/// One marked block. `short`: whether a marker of five minutes comes before it.
fn one(path: &str, marked: &Value, short: &mut bool, faults: &mut Faults) {
    let Some(control) = marked.get("cache_control") else { return };
    faults.unless(
        text(control, "type") == Some("ephemeral"),
        format!("{path}.type"),
        "Input should be 'ephemeral'",
    );
    match control.get("ttl").map(Value::as_str) {
        None | Some(Some("5m")) => *short = true,
        Some(Some("1h")) => {
            let rule = "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
            faults.unless(!*short, format!("{path}.ttl"), rule);
        }
        Some(_) => faults.add(format!("{path}.ttl"), "Input should be '5m' or '1h'"),
    }
    match text(marked, "type") {
        Some("thinking" | "redacted_thinking") => faults.add(path, "Extra inputs are not permitted"),
        Some("text") if text(marked, "text") == Some("") => {
            faults.add(path, "cache_control cannot be set for empty text blocks");
        }
        _ => {}
    }
}
