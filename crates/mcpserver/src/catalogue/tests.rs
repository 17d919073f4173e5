//! The size of the tool descriptions.

use throughline_policies::Estimator;

use super::ToolName;

/// Tokens that the descriptions may take in every request of a client.
const MAX_TOKENS: u64 = 1_200;

#[test]
fn all_descriptions_together_take_at_most_1200_tokens() {
    let tools: Vec<_> = ToolName::ALL.into_iter().map(ToolName::definition).collect();
    for estimator in Estimator::ALL {
        let tokens = estimator.counter().text(&serde_json::to_string(&tools).unwrap());
        assert!(tokens <= MAX_TOKENS, "{tokens} tokens by {}", estimator.name());
    }
}

#[test]
fn each_tool_is_found_by_its_name() {
    for tool in ToolName::ALL {
        assert_eq!(ToolName::of(tool.name()), Some(tool));
    }
    assert_eq!(ToolName::of("shell"), None);
}
