//! Modules that import each other in a circle can only be read together; a small circle is one idea, a long one none.

mod graph;
mod paths;

use std::collections::{BTreeMap, BTreeSet};

use super::Finding;
use super::sources::{Source, Sources, crate_of};
use graph::Graph;

/// More files than this in one circle are too many.
const MAX_FILES: usize = 4;

/// Each file that is part of a long circle.
pub(super) fn find(sources: &Sources<'_>) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Vec<(Vec<&str>, &Source<'_>)>> = BTreeMap::new();
    for source in sources.rust.iter().filter(|source| source.is_in_src()) {
        crates.entry(crate_of(&source.file.path)).or_default().push((module(&source.file.path), source));
    }
    crates.values().flat_map(|files| in_crate(files)).collect()
}

fn in_crate(files: &[(Vec<&str>, &Source<'_>)]) -> Vec<Finding> {
    let known: BTreeSet<&[&str]> = files.iter().map(|(module, _)| module.as_slice()).collect();
    let mut graph = Graph::default();
    for (module, source) in files {
        for path in paths::named(module, &known, &source.code()) {
            let target =
                (0..=path.len()).rev().filter_map(|end| path.get(..end)).find(|path| known.contains(path));
            // Children use what their parent defines for them: that is nesting, not a circle.
            if let Some(target) = target.filter(|target| !module.starts_with(target)) {
                graph.add(&module.join("::"), &target.join("::"));
            }
        }
    }
    let mut findings = Vec::new();
    for circle in graph.circles().into_iter().filter(|circle| circle.len() > MAX_FILES) {
        let says = format!("in an import circle of {} files: {}", circle.len(), circle.join(", "));
        let members = files.iter().filter(|(module, _)| circle.contains(&module.join("::")));
        findings.extend(members.map(|(_, source)| Finding::whole(source.file, says.clone())));
    }
    findings
}

/// `crates/a/src/b/c.rs` is `b::c`; the root of a crate is empty.
fn module(path: &str) -> Vec<&str> {
    let inner = path.split_once("src/").map_or(path, |(_, inner)| inner).trim_end_matches(".rs");
    if inner == "lib" || inner == "main" { Vec::new() } else { inner.split('/').collect() }
}

#[cfg(test)]
mod tests;
