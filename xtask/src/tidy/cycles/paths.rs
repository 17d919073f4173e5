//! The paths into the own crate that a file names, made absolute.

use std::collections::BTreeSet;

use crate::tokens::{Kind, Token};

/// Every path that starts with `crate`, `super`, `self` or a child of the module, one for each branch of a `use` tree.
pub(super) fn named<'a>(
    module: &[&'a str],
    known: &BTreeSet<&[&str]>,
    code: &[Token<'a>],
) -> Vec<Vec<&'a str>> {
    let mut paths = Vec::new();
    let mut before: Option<&Token<'_>> = None;
    for (at, token) in code.iter().enumerate() {
        let is_first =
            token.kind == Kind::Name && !before.is_some_and(|before| before.is(":") || before.is("."));
        before = Some(token);
        let rest = code.get(at + 1..).unwrap_or_default();
        if !is_first || !starts_with_colons(rest) {
            continue;
        }
        let parent = module.len().saturating_sub(1);
        let child = [module, &[token.text]].concat();
        let start = match token.text {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module.get(..parent).unwrap_or_default().to_vec(),
            _ if known.contains(child.as_slice()) => child,
            _ => continue,
        };
        branches(start, rest.get(2..).unwrap_or_default(), &mut paths);
    }
    paths
}

fn starts_with_colons(rest: &[Token<'_>]) -> bool {
    matches!(rest, [first, second, ..] if first.is(":") && second.is(":"))
}

/// Follows the names after a `::` and gives how many tokens belong to the path.
fn branches<'a>(mut path: Vec<&'a str>, rest: &[Token<'a>], paths: &mut Vec<Vec<&'a str>>) -> usize {
    let mut at = 0;
    while let Some(token) = rest.get(at) {
        if token.is("{") {
            at += 1;
            while let Some(token) = rest.get(at).filter(|token| !token.is("}")) {
                let is_name = token.kind == Kind::Name;
                at += if is_name {
                    branches(path.clone(), rest.get(at..).unwrap_or_default(), paths).max(1)
                } else {
                    1
                };
            }
            return at + 1;
        }
        if token.kind != Kind::Name {
            break;
        }
        match token.text {
            "super" => drop(path.pop()),
            "self" => {}
            name => path.push(name),
        }
        at += 1;
        if !starts_with_colons(rest.get(at..).unwrap_or_default()) {
            break;
        }
        at += 2;
    }
    paths.push(path);
    at
}
