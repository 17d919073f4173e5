//! What a crate's `Cargo.toml` must say itself: the shared lints, what its page in a registry shows, and no version of its own.

use std::collections::BTreeMap;

/// Crates with a table of lints of their own, because macros that they need allow unsafe code in what they write.
const OWN_LINTS: [&str; 1] = ["throughline-node"];

/// Violations of one manifest. It is read by line, which is enough for the plain form that manifests here have.
pub(super) fn check(package: &str, text: &str) -> Vec<String> {
    let mut violations = Vec::new();
    if !has_shared_lints(text) && !OWN_LINTS.contains(&package) {
        violations.push(format!("{package}: no `[lints] workspace = true`: the lints hold for every crate"));
    }
    for key in ["description", "keywords", "categories", "readme"] {
        if !is_internal(text) && !package_keys(text).any(|found| found == key) {
            violations
                .push(format!("{package}: no `{key}` in `[package]`: a crate that can be published has one"));
        }
    }
    for (name, from_workspace) in dependencies(text) {
        if !from_workspace {
            violations.push(format!(
                "{package} -> {name}: write `{name}.workspace = true` and the version in the root Cargo.toml"
            ));
        }
    }
    violations
}

/// Each line of a table with that table's header.
fn lines_with_header(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut header = "";
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(
        move |line| {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                header = name.trim();
                return None;
            }
            Some((header, line))
        },
    )
}

fn has_shared_lints(text: &str) -> bool {
    lines_with_header(text).any(|(header, line)| header == "lints" && is_workspace_true(line))
}

/// The keys of `[package]`.
fn package_keys(text: &str) -> impl Iterator<Item = &str> {
    let lines = lines_with_header(text).filter(|(header, _)| *header == "package");
    lines.filter_map(|(_, line)| line.split_once(['=', '.'])).map(|(key, _)| key.trim())
}

/// Returns true for a crate that takes `publish = false` from the workspace.
fn is_internal(text: &str) -> bool {
    package_keys(text).any(|key| key == "publish")
}

/// Every dependency of every kind, and whether any of its lines takes it from the workspace table.
fn dependencies(text: &str) -> BTreeMap<&str, bool> {
    let mut found = BTreeMap::new();
    for (header, line) in lines_with_header(text) {
        let Some((key, value)) = line.split_once('=') else { continue };
        let (name, taken) = if header.ends_with("dependencies") {
            let (name, rest) = key.trim().split_once('.').unwrap_or((key.trim(), ""));
            let for_tests = header == "dev-dependencies" && is_path_alone(value);
            (name, for_tests || (rest == "workspace" && value.trim() == "true") || inline_workspace(value))
        } else if let Some((_, name)) = header.rsplit_once("dependencies.") {
            (name, is_workspace_true(line))
        } else {
            continue;
        };
        *found.entry(name).or_insert(false) |= taken;
    }
    found
}

/// `{ path = "../…" }`. Two crates can test each other with it: cargo leaves it out of the package.
fn is_path_alone(value: &str) -> bool {
    value.trim().starts_with("{ path = \"../") && !value.contains(',')
}

/// `{ workspace = true, … }`.
fn inline_workspace(value: &str) -> bool {
    let inner = value.trim().trim_start_matches('{').trim_end_matches('}');
    value.trim().starts_with('{') && inner.split(',').any(is_workspace_true)
}

fn is_workspace_true(line: &str) -> bool {
    line.split_once('=').is_some_and(|(key, value)| key.trim() == "workspace" && value.trim() == "true")
}

#[cfg(test)]
mod tests;
