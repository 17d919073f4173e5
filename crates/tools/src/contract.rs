//! The contract of [`Tool`] as checks for the tests of its implementations, and a driver for their tests.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use throughline_conversation::ToolCall;

use crate::output::ToolOutput;
use crate::registry::ToolRegistry;
use crate::run::RunningCalls;
use crate::tool::{Tool, ToolContext};

/// Time limit for the answer to a wrong call.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Checks that every provider accepts the definition, and that it is the same each time.
///
/// # Panics
/// When the tool breaks the contract.
pub async fn contract_definition(tool: &dyn Tool) {
    let definition = tool.definition();
    assert_eq!(definition, tool.definition(), "the definition must not change");
    let name = &definition.name;
    assert!(definition.has_valid_name(), "{name:?} is not a valid tool name");
    assert!(!definition.description.trim().is_empty(), "{name} must say what it does");
    assert_eq!(definition.input_schema.get("type"), Some(&json!("object")), "{name} must take an object");
}

/// Checks that wrong arguments are answered in time, and with a text.
///
/// # Panics
/// When the tool breaks the contract.
pub async fn contract_wrong_arguments(tool: &dyn Tool, context: &ToolContext) {
    let name = tool.definition().name;
    for input in [json!(null), json!([]), json!("text"), json!({"no such argument": {"a": [1]}}), json!(7)] {
        let call = ToolCall { id: "c1".to_owned(), name: name.clone(), input: input.clone() };
        let output = tokio::time::timeout(TIME_LIMIT, tool.call(&call, context)).await;
        assert!(output.is_ok(), "{name} must answer {input} in time");
        if let Ok(output) = output {
            let explained = !output.is_error || !output.to_text().trim().is_empty();
            assert!(explained, "{name} must say what is wrong with {input}");
        }
    }
}

/// Checks that the tool can be registered once.
///
/// # Panics
/// When the tool breaks the contract.
pub async fn contract_registers(tool: Arc<dyn Tool>) {
    let mut registry = ToolRegistry::new();
    assert_eq!(registry.register(Arc::clone(&tool)), Ok(()));
    assert!(registry.register(tool).is_err(), "a second tool of the same name must be refused");
}

/// Runs calls, at most `limit` concurrently, and returns their outputs in the order of the calls.
pub async fn outputs_of(
    registry: &ToolRegistry,
    calls: &[ToolCall],
    context: &ToolContext,
    limit: usize,
) -> Vec<ToolOutput> {
    let mut running = RunningCalls::start(registry, calls, context, limit);
    let mut outputs = Vec::new();
    while let Some(done) = running.next().await {
        outputs.push(done);
    }
    outputs.sort_by_key(|(index, _)| *index);
    outputs.into_iter().map(|(_, output)| output).collect()
}
