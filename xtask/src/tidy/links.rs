//! Links of pages: each leads to a file or folder of the project, and each anchor to a heading of its page.
//!
//! Links to other hosts are not followed: this check works without a network.

mod page;
mod slug;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::Finding;
use crate::source;
use crate::tree::TextFile;
use page::Page;

/// Pages of the host that has the repository, which a page of the root names relative to itself.
const OF_THE_HOST: &[&str] = &["actions", "issues", "releases", "security"];

/// Checks the links of every page.
pub(super) fn check(root: &Path, files: &[TextFile]) -> Vec<Finding> {
    let pages: BTreeMap<_, _> = files
        .iter()
        .filter(|file| file.path.ends_with(".md") && !source::is_test_file(&file.path))
        .map(|file| (file.path.as_str(), (file, Page::read(&file.text))))
        .collect();
    let anchors: BTreeMap<&str, &BTreeSet<String>> =
        pages.iter().map(|(path, (_, page))| (*path, &page.anchors)).collect();
    let mut findings = Vec::new();
    for (file, page) in pages.values() {
        for (line, target) in &page.links {
            if let Some(says) = problem(root, &file.path, target, &anchors) {
                findings.push(Finding::at(file, *line, says));
            }
        }
    }
    findings
}

/// What is wrong with a link of a page.
fn problem(
    root: &Path,
    page: &str,
    target: &str,
    anchors: &BTreeMap<&str, &BTreeSet<String>>,
) -> Option<String> {
    // An address of another host, or a path of rustdoc.
    if target.contains(':') {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match resolved(page, path) {
        Place::Inside(path) => path,
        Place::OfTheHost => return None,
        Place::Outside => return Some(format!("`{target}` leads out of the project")),
    };
    if !root.join(&path).exists() {
        return Some(format!("`{target}`: there is no `{path}`"));
    }
    let known = anchors.get(path.as_str())?;
    (!anchor.is_empty() && !known.contains(anchor))
        .then(|| format!("`{target}`: `{path}` has no heading `#{anchor}`"))
}

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// To this path of the project.
    Inside(String),
    /// To a page next to the repository, such as its releases.
    OfTheHost,
    /// Out of the project.
    Outside,
}

/// The path of a link, seen from the root.
fn resolved(page: &str, path: &str) -> Place {
    if path.is_empty() {
        return Place::Inside(page.to_owned());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    let mut above = 0;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => above += 1,
            ".." => {}
            part => parts.push(part),
        }
    }
    match (above, parts.first()) {
        (0, _) => Place::Inside(parts.join("/")),
        // `blob/main` stands between the repository and its pages.
        (2, Some(first)) if OF_THE_HOST.contains(first) => Place::OfTheHost,
        _ => Place::Outside,
    }
}

#[cfg(test)]
mod tests;
