//! Nothing is public that nothing calls: a public item has a use outside of tests.
//!
//! Names are compared, not resolved: an item whose name something else has as well may slip through, and none is
//! reported wrongly for that.

mod hooks;
mod items;
mod uses;

use super::Finding;
use super::sources::{Sources, crate_of};
use hooks::HOOKS;
use uses::Uses;

/// Every public item without a use.
pub(super) fn find(sources: &Sources<'_>) -> Vec<Finding> {
    let mut code = Uses::default();
    let mut tests = Uses::default();
    for source in &sources.rust {
        match example_of(&source.file.path) {
            Some(krate) => code.add_example(krate, source),
            None => code.add(&source.code()),
        }
        tests.add(&source.tokens);
    }
    let mut findings = Vec::new();
    for source in sources.rust.iter().filter(|source| source.is_in_src()) {
        let krate = crate_of(&source.file.path);
        for item in items::public(&source.code()) {
            let is_hook = HOOKS.iter().any(|(owner, name, _)| (*owner, *name) == (krate, item.text));
            if is_hook || code.has(item.text, krate) {
                continue;
            }
            let user = if tests.has(item.text, krate) { "only tests use" } else { "nothing uses" };
            let says = format!("{user} `{}`: call it, make it private or remove it", item.text);
            findings.push(Finding::at(source.file, item.line, says));
        }
    }
    findings
}

/// The crate whose public API an example shows. A benchmark shows none.
fn example_of(path: &str) -> Option<&str> {
    let name = path.split_once("/examples/")?.1;
    (!name.starts_with("bench_")).then(|| crate_of(path))
}

#[cfg(test)]
mod tests;
