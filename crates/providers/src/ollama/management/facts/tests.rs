//! Facts out of what the server says.

use serde_json::{Value, json};

use super::LocalModelInfo;

fn read(said: Value) -> LocalModelInfo {
    LocalModelInfo::from(serde_json::from_value::<ollama_rs::models::ModelInfo>(said).unwrap())
}

#[test]
fn the_family_names_the_context() {
    let said = json!({
        "license": "MIT",
        "details": {"family": "qwen3"},
        "model_info": {
            "clip.vision.context_length": 77,
            "general.architecture": "qwen3",
            "general.parameter_count": 8_190_735_360_u64,
            "qwen3.context_length": 40_960,
        },
        "capabilities": ["completion", "tools", "thinking"],
    });
    let expected = LocalModelInfo {
        family: "qwen3".to_owned(),
        parameters: Some(8_190_735_360),
        context_length: Some(40_960),
        tools: true,
        thinking: true,
        vision: false,
    };
    assert_eq!(read(said), expected);
}

#[test]
fn a_server_that_says_little_is_taken_at_its_word() {
    assert_eq!(read(json!({})), LocalModelInfo::default());
    let found = read(json!({"model_info": {"llama.context_length": 8_192}, "capabilities": ["vision"]}));
    assert_eq!(
        found,
        LocalModelInfo { context_length: Some(8_192), vision: true, ..LocalModelInfo::default() }
    );
}
