//! Rules that the user wrote in place of a suggested one.

use std::path::Path;

use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect};

use super::decide::Policy;
use super::{Commands, PlacedRule, RuleKind};
use crate::decision::Decision;
use crate::mode::Mode;
use crate::rule::{Rule, Subject};
use crate::suggestion::{runs_arguments, suggestion};

/// Checks that a rule allows this call and does not reach further than a rule for one kind of call may: it names the tool
/// and a pattern, and a program literally. Returns its text. The error says what to write.
pub(super) fn check(
    policy: &Policy<'_>,
    text: &str,
    call: &ToolCall,
    access: &Access,
    real: Option<&Path>,
) -> Result<String, String> {
    let rule = Rule::parse(text).map_err(|error| error.why)?;
    let paths = policy.paths(access, real);
    let suggested = suggestion(&Subject { call, access, paths: &paths });
    let Some(suggested) = suggested else {
        return Err("a call like this one needs its own approval".to_owned());
    };
    if rule.text() == suggested {
        return Ok(suggested);
    }
    if rule.has_open_tool() || (rule.is_for_all() && access.effect != Effect::Other) {
        return Err(format!("it would allow every call; name a pattern, such as {suggested}"));
    }
    if let Some(program) = rule.program() {
        let Some(program) = program else {
            return Err("the program has a wildcard; write its name".to_owned());
        };
        if runs_arguments(std::slice::from_ref(&program)) && rule.has_wildcard() {
            return Err(format!("{program} runs its arguments as a command; write them without a wildcard"));
        }
    }
    if !allows(policy, &rule, call, access, real) {
        return Err(format!("it does not allow this call; the suggested rule is {suggested}"));
    }
    Ok(rule.text().to_owned())
}

/// Returns true if the call would run with this rule.
fn allows(policy: &Policy<'_>, rule: &Rule, call: &ToolCall, access: &Access, real: Option<&Path>) -> bool {
    let placed = PlacedRule { kind: RuleKind::Allow, rule: rule.clone(), place: String::new() };
    let remembered: Vec<PlacedRule> = policy.remembered.iter().cloned().chain([placed]).collect();
    // The rule alone has to allow it, whatever the mode does by now.
    let with = Policy { remembered: &remembered, mode: Mode::Ask, commands: Commands::default(), ..*policy };
    matches!(with.decide(call, access, real), Decision::Allow { .. })
}
