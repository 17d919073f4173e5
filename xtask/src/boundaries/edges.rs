//! One crate against the table: its name, its folder and every edge out of it.

use super::metadata::{Dependency, FACADE, Member, PREFIX};
use super::reserved::Reserved;
use super::rule::Rule;

/// What a reader can do about an edge between two crates of the workspace.
const MOVE_DOWN: &str =
    "move the word down to conversation, or change the table in the same commit and say why";

/// What a reader can do about an edge to a crate from elsewhere.
const BEHIND_A_PORT: &str =
    "put it behind a port in the crate that may use it, or change the table in the same commit and say why";

/// Every violation of this crate, one printable line each.
pub(super) fn check(member: &Member, rules: &[Rule], reserved: &[Reserved]) -> Vec<String> {
    let name = folder_name(&member.package);
    let mut violations = Vec::new();
    violations.extend(folder_differs(member));
    violations.extend(dev_edges(member));
    let Some(rule) = rules.iter().find(|rule| rule.name == name) else {
        violations.push(format!("{name}: not in the table: add a row to xtask/src/boundaries/table.rs"));
        return violations;
    };
    for edge in member.dependencies.iter().filter(|edge| !edge.dev) {
        violations.extend(if edge.in_workspace {
            workspace_edge(rule, edge)
        } else {
            reserved_edge(name, edge, reserved).or_else(|| outside_edge(rule, edge))
        });
    }
    violations
}

/// Rows and owners of the table that name no crate, one printable line each.
pub(super) fn ghosts(members: &[Member], rules: &[Rule], reserved: &[Reserved]) -> Vec<String> {
    let exists = |name: &str| members.iter().any(|member| folder_name(&member.package) == name);
    let rows = rules.iter().map(|rule| rule.name).filter(|name| !exists(name));
    let rows = rows.map(|name| format!("{name}: a row for a crate that does not exist: remove it"));
    let owners = reserved.iter().flat_map(|entry| entry.owners.iter().map(|owner| (entry.krate, *owner)));
    let owners = owners
        .filter(|(_, owner)| !exists(owner))
        .map(|(krate, owner)| format!("{krate}: its owner {owner} does not exist: remove it from the row"));
    rows.chain(owners).collect()
}

/// The package name as the table and the folders spell it.
fn folder_name(package: &str) -> &str {
    package.strip_prefix(PREFIX).unwrap_or(package)
}

/// The folder and the package must have one name, so that a reader who knows one finds the other.
fn folder_differs(member: &Member) -> Option<String> {
    let mut folders =
        member.manifest.components().rev().skip(1).map(|part| part.as_os_str().to_string_lossy());
    let folder = folders.next().unwrap_or_default();
    let in_crates = folders.next().is_some_and(|parent| parent == "crates" || parent == "bindings");
    // The library that programs use has the product's own name.
    let prefixed = in_crates && folder != FACADE;
    let expected = if prefixed { format!("{PREFIX}{folder}") } else { folder.into_owned() };
    (member.package != expected)
        .then(|| format!("{}: its folder asks for the package name `{expected}`: rename one", member.package))
}

/// Tests may use what they like, except the composition root: it would pull every adapter into them.
fn dev_edges(member: &Member) -> Option<String> {
    let cli = format!("{PREFIX}cli");
    let uses = member.dependencies.iter().any(|edge| edge.dev && edge.package == cli);
    uses.then(|| {
        format!("{} -> cli (dev): nothing may test through the binary's crate: test there", member.package)
    })
}

fn workspace_edge(rule: &Rule, edge: &Dependency) -> Option<String> {
    let to = folder_name(&edge.package);
    (!rule.workspace.contains(to))
        .then(|| format!("{} -> {to}: not allowed ({}): {MOVE_DOWN}", rule.name, rule.because))
}

fn outside_edge(rule: &Rule, edge: &Dependency) -> Option<String> {
    let Rule { name, outside, because, .. } = rule;
    let to = &edge.package;
    if !outside.contains(to) {
        return Some(format!("{name} -> {to}: not allowed ({because}): {BEHIND_A_PORT}"));
    }
    (to == "mockall" && !edge.optional)
        .then(|| format!("{name} -> mockall: must be optional: put it behind the feature `mock`"))
}

fn reserved_edge(name: &str, edge: &Dependency, reserved: &[Reserved]) -> Option<String> {
    let entry = reserved.iter().find(|entry| entry.krate == edge.package && !entry.owners.contains(&name))?;
    let Reserved { krate, owners, because } = entry;
    Some(format!("{name} -> {krate}: only for {} ({because}): {BEHIND_A_PORT}", owners.join(", ")))
}

#[cfg(test)]
mod tests;
