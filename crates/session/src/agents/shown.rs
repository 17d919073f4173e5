//! What a call about sub-agents gave, in the words for the user: no sessions, and no advice for the model.

use throughline_stored::AGENT_TOOL;

use super::background_agent::HOW_TO_WAIT;
use super::output_tool;
use super::report::{CONTINUE, FIGURES};

/// The result of a call of `agent` or `agent_output` as a person reads it. `None`: it is of another tool.
#[must_use]
pub fn shown_agent_result(tool: &str, result: &str) -> Option<String> {
    if tool != AGENT_TOOL && tool != output_tool::NAME {
        return None;
    }
    let Some((first, rest)) = result.split_once('\n') else { return Some(result.to_owned()) };
    let named = first.strip_prefix("Sub-agent ").and_then(|name| name.split_once(' '));
    if let Some((number, _)) = named.filter(|_| rest == HOW_TO_WAIT) {
        return Some(format!("in the background as sub-agent {number}"));
    }
    let ended = named.and_then(|_| first.rsplit_once(", session ")).and_then(|(name, how)| {
        let (_, how) = how.split_once(": ")?;
        Some(format!("{name} {how}\n{}", without_session(rest)))
    });
    Some(ended.unwrap_or_else(|| without_session(result)))
}

/// A report with its figures alone.
fn without_session(report: &str) -> String {
    let Some((text, last)) = report.trim_end().rsplit_once('\n') else { return report.to_owned() };
    let figures = last.strip_prefix(FIGURES).and_then(|line| line.rsplit_once(": "));
    let Some((_, figures)) = figures else { return report.to_owned() };
    format!("{}\n[{figures}", text.strip_suffix(CONTINUE).unwrap_or(text))
}

#[cfg(test)]
mod tests;
