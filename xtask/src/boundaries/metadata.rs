//! The workspace as cargo sees it: each member with its dependencies.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::tree;

/// The prefix that a package name has and its folder has not.
pub(super) const PREFIX: &str = "throughline-";
/// The package without the prefix.
pub(super) const FACADE: &str = "throughline";

/// A crate of the workspace.
#[derive(Debug, Clone)]
pub(super) struct Member {
    /// The package name.
    pub(super) package: String,
    /// Its `Cargo.toml`.
    pub(super) manifest: PathBuf,
    /// What it depends on.
    pub(super) dependencies: Vec<Dependency>,
}

/// One edge out of a crate.
#[derive(Debug, Clone)]
pub(super) struct Dependency {
    /// The package name of the other side.
    pub(super) package: String,
    /// Whether only tests, examples and benches see it.
    pub(super) dev: bool,
    /// Whether a feature switches it on.
    pub(super) optional: bool,
    /// Whether the other side belongs to this workspace.
    pub(super) in_workspace: bool,
}

/// Asks cargo.
pub(super) fn read(root: &Path) -> Result<Vec<Member>> {
    parse(&tree::metadata(root)?)
}

/// Reads cargo's answer.
fn parse(json: &[u8]) -> Result<Vec<Member>> {
    let metadata: Value = serde_json::from_slice(json).context("read the answer of `cargo metadata`")?;
    let packages = list(&metadata, "packages")?;
    let members = packages.iter().map(member).collect::<Result<Vec<_>>>()?;
    Ok(members)
}

fn member(package: &Value) -> Result<Member> {
    let dependencies = list(package, "dependencies")?.iter().map(dependency).collect::<Result<_>>()?;
    Ok(Member {
        package: string(package, "name")?.to_owned(),
        manifest: string(package, "manifest_path")?.into(),
        dependencies,
    })
}

fn dependency(edge: &Value) -> Result<Dependency> {
    Ok(Dependency {
        package: string(edge, "name")?.to_owned(),
        // Normal edges have no kind. Build scripts are held to the same rule as the code.
        dev: edge.get("kind").and_then(Value::as_str) == Some("dev"),
        optional: edge.get("optional").and_then(Value::as_bool).unwrap_or(false),
        in_workspace: edge.get("path").is_some(),
    })
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>> {
    value.get(key).and_then(Value::as_array).with_context(|| format!("cargo metadata without `{key}`"))
}

fn string<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value.get(key).and_then(Value::as_str).with_context(|| format!("cargo metadata without `{key}`"))
}

#[cfg(test)]
mod tests;
