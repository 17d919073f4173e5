//! A mock that no test uses is removed.

use std::collections::BTreeSet;

use super::Finding;
use super::sources::Sources;
use crate::tokens::Kind;

/// Every port with a generated mock whose name occurs in no test.
pub(super) fn find(sources: &Sources<'_>) -> Vec<Finding> {
    let used: BTreeSet<&str> = sources
        .rust
        .iter()
        .flat_map(|source| {
            source.tokens.iter().filter(|token| token.kind == Kind::Name && source.is_test(token))
        })
        .filter(|token| token.text.starts_with("Mock"))
        .map(|token| token.text)
        .collect();
    let mut findings = Vec::new();
    for source in &sources.rust {
        let code = source.code();
        let attributes = code.iter().enumerate().filter(|(_, token)| token.is("automock"));
        for (at, _) in attributes {
            let Some(port) = code.iter().skip(at).skip_while(|token| !token.is("trait")).nth(1) else {
                continue;
            };
            let mock = format!("Mock{}", port.text);
            if !used.contains(mock.as_str()) {
                let says = format!(
                    "no test uses `{mock}`: test a failure of the port with it, or remove `automock`"
                );
                findings.push(Finding::at(source.file, port.line, says));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests;
