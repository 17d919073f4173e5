//! Where thinking must, may and may not be.

use serde_json::Value;

use super::turns::{self, RoleRun};
use crate::anthropic::ThinkingForm;
use crate::validate::body::{Faults, text};

/// Checks the positions of thinking.
pub(super) fn check(body: &Value, turns: &[RoleRun<'_>], takes: Option<ThinkingForm>, faults: &mut Faults) {
    for turn in turns.iter().filter(|turn| turn.role == "assistant") {
        if turn.blocks.last().is_some_and(turns::Block::is_thinking) {
            let rule = "The final block in an assistant message cannot be `thinking`.";
            faults.add(format!("messages.{}", turn.index), rule);
        }
    }
    let Some(thinking) = body.get("thinking") else { return };
    form(thinking, takes, faults);
    if text(thinking, "type") != Some("enabled") {
        return;
    }
    let most = body.get("max_tokens").and_then(Value::as_u64).unwrap_or_default();
    let budget = thinking.get("budget_tokens").and_then(Value::as_u64).unwrap_or_default();
    let rule = "`max_tokens` must be greater than `thinking.budget_tokens`";
    faults.unless(most > budget, "max_tokens", rule);
    begins_with_thinking(turns, faults);
}

/// The form must exist, and the model must accept it.
fn form(thinking: &Value, takes: Option<ThinkingForm>, faults: &mut Faults) {
    match (text(thinking, "type").unwrap_or_default(), takes) {
        ("enabled", Some(ThinkingForm::Adaptive)) => {
            let rule = "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \
                        \"output_config.effort\" to control thinking behavior.";
            faults.add("", rule);
        }
        ("adaptive", Some(ThinkingForm::Budget)) => {
            faults.add("", "adaptive thinking is not supported on this model");
        }
        ("enabled" | "adaptive" | "disabled", _) => {}
        (other, _) => {
            let rule = "found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'";
            faults.add("thinking", format!("Input tag '{other}' {rule}"));
        }
    }
}

/// In the middle of a tool loop, the turn must begin with what was thought before its first calls. For the API all
/// messages of the loop are one turn, so later ones need no thinking of their own (Anthropic documentation, "Extended
/// thinking with tool use"); text of the user after the results begins a new one, once the model has answered it.
fn begins_with_thinking(turns: &[RoleRun<'_>], faults: &mut Faults) {
    let begin = turns.iter().enumerate().rposition(|(at, turn)| {
        let results = turn.blocks.iter().filter(|block| block.kind == "tool_result").count();
        let words = results < turn.blocks.len();
        turn.role == "user" && words && (results == 0 || at + 1 < turns.len())
    });
    let mut loop_turns = turns.iter().skip(begin.map_or(0, |begin| begin + 1));
    let Some(turn) = loop_turns.find(|turn| turn.role == "assistant") else { return };
    let Some(first) = turn.blocks.first() else { return };
    let calls = turn.blocks.iter().any(|block| block.kind == "tool_use");
    if calls && !first.is_thinking() {
        let message = format!(
            "Expected `thinking` or `redacted_thinking`, but found `{}`. When `thinking` is enabled, a final \
             `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and \
             `tool_result` blocks).",
            first.kind
        );
        faults.add(format!("messages.{}.content.0.type", turn.index), message);
    }
}
