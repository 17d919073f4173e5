//! The rules of the Gemini API.

mod order;
mod parts;

use serde_json::Value;

use crate::validate::body::{Faults, is_plain, items, text};
use crate::validate::fault::WireFault;

use super::signature;

/// Longest name of a function (Gemini API reference, "FunctionDeclaration").
const NAME_CHARS: usize = 128;

/// The rules that the body of `POST /v1beta/models/MODEL:generateContent` breaks; empty if it is valid.
///
/// Strictly: neither side has two contents in a row, as older models and the chat of the API's own libraries want it. For a
/// model that requires signatures, as Gemini 3 and later do by their names, the first call of each content in the current
/// turn must have one.
#[must_use]
pub fn gemini(model: &str, body: &Value) -> Vec<WireFault> {
    let signing = signature::is_required(model);
    Faults::of(body, |faults| {
        system(body, faults);
        tools(body, faults);
        tool_mix(body, signing, faults);
        config(body, faults);
        let contents = items(body, "contents");
        faults.unless(!contents.is_empty(), "contents", "contents are required");
        parts::check(contents, faults);
        order::check(contents, signing, faults);
    })
}

fn system(body: &Value, faults: &mut Faults) {
    let Some(system) = body.get("systemInstruction").filter(|system| !system.is_null()) else { return };
    let parts = items(system, "parts");
    faults.unless(!parts.is_empty(), "systemInstruction.parts", "must contain at least one part");
    for (at, part) in parts.iter().enumerate() {
        let said = text(part, "text").is_some_and(|text| !text.trim().is_empty());
        faults.unless(said, format!("systemInstruction.parts[{at}]"), "must be a text that is not empty");
    }
}

fn tools(body: &Value, faults: &mut Faults) {
    let mut names = std::collections::HashSet::new();
    for (at, tool) in items(body, "tools").iter().enumerate() {
        for (place, function) in items(tool, "functionDeclarations").iter().enumerate() {
            let path = format!("tools[{at}].functionDeclarations[{place}]");
            let name = text(function, "name").unwrap_or_default();
            // Dots and colons are allowed besides.
            let plain = is_plain(&name.replace(['.', ':'], "_"), NAME_CHARS);
            let rule = "must be 1 to 128 letters, digits, underscores, colons, dots or dashes";
            faults.unless(plain, format!("{path}.name"), rule);
            if !names.insert(name) {
                faults.add(format!("{path}.name"), format!("Duplicate function declaration found: {name}"));
            }
            let both = function.get("parameters").is_some() && function.get("parametersJsonSchema").is_some();
            let rule = "only one of parameters and parametersJsonSchema can be set";
            faults.unless(!both, path.clone(), rule);
            for field in ["parameters", "parametersJsonSchema"] {
                let object = function.get(field).is_none_or(Value::is_object);
                faults.unless(object, format!("{path}.{field}"), "must be an object");
            }
        }
    }
}

/// The provider's own tools next to functions, which only newer models take, and only when they are asked to show their calls.
fn tool_mix(body: &Value, takes_both: bool, faults: &mut Faults) {
    let has = |name: &str| items(body, "tools").iter().any(|tool| tool.get(name).is_some());
    if !has("googleSearch") || !has("functionDeclarations") {
        return;
    }
    let rule = "Built-in tools ({google_search}) and Function Calling cannot be combined in the same request. Please choose one.";
    faults.unless(takes_both, "tools", rule);
    let shown = body.pointer("/toolConfig/includeServerSideToolInvocations").and_then(Value::as_bool);
    let rule = "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.";
    faults.unless(!takes_both || shown == Some(true), "toolConfig", rule);
}

fn config(body: &Value, faults: &mut Faults) {
    let Some(config) = body.get("generationConfig") else { return };
    if let Some(most) = config.get("maxOutputTokens").filter(|most| !most.is_null()) {
        let holds = most.as_u64().is_some_and(|most| most > 0);
        faults.unless(holds, "generationConfig.maxOutputTokens", "must be a whole number above 0");
    }
    let thinking = config.get("thinkingConfig").unwrap_or(&Value::Null);
    let both = thinking.get("thinkingLevel").is_some() && thinking.get("thinkingBudget").is_some();
    let rule = "You can only set only one of thinking budget and thinking level.";
    faults.unless(!both, "generationConfig.thinkingConfig", rule);
}
