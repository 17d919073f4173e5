//! The agent runs the steps and decides nothing: no number and no prompt text is in it.

use super::Finding;
use super::sources::Sources;
use crate::tokens::{Kind, Token};

/// Where the rule holds.
const CRATE: &str = "crates/agent/src/";

/// Counting from nothing and adding one is no policy.
const ALLOWED: &[&str] = &["0", "1"];

/// Every other number, and every prompt file.
pub(super) fn find(sources: &Sources<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.rust.iter().filter(|source| source.file.path.starts_with(CRATE)) {
        let code = source.code();
        for (at, token) in code.iter().enumerate() {
            let is_policy = token.kind == Kind::Number && !ALLOWED.contains(&value(token.text));
            if is_policy && !is_tuple_field(code.get(..at).unwrap_or_default()) {
                let says =
                    format!("the number {}: a policy sets it, so take it from the settings", token.text);
                findings.push(Finding::at(source.file, token.line, says));
            }
        }
    }
    let prompts =
        sources.files.iter().filter(|file| file.path.starts_with(CRATE) && file.path.ends_with(".md"));
    findings.extend(prompts.map(|file| {
        Finding::whole(file, "a prompt text: it belongs to `policies` or to the adapter that sends it")
    }));
    findings
}

/// A number without its type.
fn value(number: &str) -> &str {
    let suffix = number.find(['u', 'i']).filter(|_| !number.starts_with("0x"));
    suffix.and_then(|at| number.get(..at)).unwrap_or(number).trim_end_matches('_')
}

/// Returns true if a single dot comes last, as in `pair.1`; two are a range.
fn is_tuple_field(before: &[Token<'_>]) -> bool {
    let dots = before.iter().rev().take_while(|token| token.is(".")).count();
    dots == 1
}

#[cfg(test)]
mod tests;
