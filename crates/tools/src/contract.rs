//! What every tool must do, as checks that panic with what is wrong. For the tests of implementations.

use std::time::Duration;

use serde_json::json;
use throughline_conversation::ToolCall;

use crate::{Tool, ToolContext, ToolRegistry};

/// How long a tool may think about a call that it cannot do.
const PATIENCE: Duration = Duration::from_secs(30);

/// The definition can be sent to every provider and is the same each time.
pub async fn contract_definition(tool: &dyn Tool) {
    let definition = tool.definition();
    assert_eq!(definition, tool.definition(), "the definition must not change");
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    let name = &definition.name;
    assert!((1..=64).contains(&name.len()) && name.bytes().all(plain), "{name:?} is no name for a tool");
    assert!(!definition.description.trim().is_empty(), "{name} must say what it does");
    assert_eq!(definition.input_schema.get("type"), Some(&json!("object")), "{name} must take an object");
}

/// Wrong arguments are answered, and with words that the model can read.
pub async fn contract_wrong_arguments(tool: &dyn Tool, context: &ToolContext) {
    let name = tool.definition().name;
    for input in [json!(null), json!([]), json!("text"), json!({"no such argument": {"a": [1]}}), json!(7)] {
        let call = ToolCall { id: "c1".to_owned(), name: name.clone(), input: input.clone() };
        let output = tokio::time::timeout(PATIENCE, tool.call(&call, context)).await;
        assert!(output.is_ok(), "{name} must answer {input} in time");
        if let Ok(output) = output {
            let said = !output.is_error || !output.to_text().trim().is_empty();
            assert!(said, "{name} must say what is wrong with {input}");
        }
    }
}

/// The tool can be registered, once.
pub async fn contract_registers(tool: std::sync::Arc<dyn Tool>) {
    let mut registry = ToolRegistry::new();
    assert_eq!(registry.register(std::sync::Arc::clone(&tool)), Ok(()));
    assert!(registry.register(tool).is_err(), "a second tool of the same name must be refused");
}
