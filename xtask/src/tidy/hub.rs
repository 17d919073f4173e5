//! A module imports from the sibling that defines a name. Imports through `lib.rs` make it a hub that all modules hang
//! on, and hide which module needs which.

use std::collections::BTreeMap;

use super::Finding;
use super::sources::{Source, Sources, crate_of};
use crate::tokens::{Kind, Token};

/// Every import of a name from the root of a library.
pub(super) fn find(sources: &Sources<'_>) -> Vec<Finding> {
    let modules: BTreeMap<&str, Vec<&str>> = sources
        .rust
        .iter()
        .filter(|source| source.file.path.ends_with("/src/lib.rs"))
        .map(|source| (crate_of(&source.file.path), declared(source)))
        .collect();
    let mut findings = Vec::new();
    for source in sources.rust.iter().filter(|source| source.is_in_src()) {
        let Some(modules) = modules.get(crate_of(&source.file.path)) else { continue };
        if source.file.name() == "lib.rs" {
            continue;
        }
        let code = source.code();
        for name in imported(&code).filter(|name| !modules.contains(&name.text)) {
            let says = format!("`{}` through lib.rs: import it from the module that defines it", name.text);
            findings.push(Finding::at(source.file, name.line, says));
        }
    }
    findings
}

/// The modules that a `lib.rs` declares.
fn declared<'a>(lib: &Source<'a>) -> Vec<&'a str> {
    let pairs = lib.tokens.windows(2);
    pairs
        .filter_map(|pair| match pair {
            [word, name] if word.is("mod") => Some(name.text),
            _ => None,
        })
        .collect()
}

/// The first name of each path below `use crate::`.
fn imported<'a, 'b>(code: &'a [Token<'b>]) -> impl Iterator<Item = &'a Token<'b>> {
    let starts = code.windows(4).enumerate().filter(|(_, window)| {
        window.iter().zip(["use", "crate", ":", ":"]).all(|(token, word)| token.is(word))
    });
    starts.flat_map(|(at, _)| {
        let tree: Vec<_> = code.iter().skip(at + 4).take_while(|token| !token.is(";")).collect();
        let is_group = tree.first().is_some_and(|token| token.is("{"));
        let mut depth = 0_usize;
        let mut starts_path = !is_group;
        tree.into_iter().filter(move |token| {
            let is_first = starts_path && token.kind == Kind::Name;
            match token.text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            starts_path = is_group && depth == 1 && (token.is("{") || token.is(","));
            is_first
        })
    })
}

#[cfg(test)]
mod tests;
