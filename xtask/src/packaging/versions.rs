//! One version for crates, wheel and npm package, and what each crate has to say of itself to be published.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::tree;

/// Fields that a published crate has.
const FIELDS: &[&str] = &["description", "license", "repository", "readme"];

/// Fails with everything that a release would stumble over.
pub(super) fn check(root: &Path) -> Result<()> {
    let metadata =
        serde_json::from_slice(&tree::metadata(root)?).context("read the answer of `cargo metadata`")?;
    let read =
        |file: &str| std::fs::read_to_string(root.join(file)).with_context(|| format!("read `{file}`"));
    let npm: Value = serde_json::from_str(&read("bindings/node/package.json")?)
        .context("read `bindings/node/package.json`")?;
    let problems = problems(&metadata, &npm, &read("CHANGELOG.md")?);
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{}", problems.join("\n"));
}

/// What is wrong. The wheel has the version of its crate.
fn problems(metadata: &Value, npm: &Value, changelog: &str) -> Vec<String> {
    let packages = metadata.get("packages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |package: &Value, field: &str| package.get(field).and_then(Value::as_str).map(str::to_owned);
    let Some(version) = packages.iter().find_map(|package| text(package, "version")) else {
        return vec!["cargo metadata names no version".to_owned()];
    };
    let mut problems = Vec::new();
    for package in packages {
        let name = text(package, "name").unwrap_or_default();
        if text(package, "version").as_ref() != Some(&version) {
            problems.push(format!("{name} has another version than {version}"));
        }
        // An empty list is `publish = false`.
        let is_published = package.get("publish").is_none_or(Value::is_null);
        let missing = FIELDS.iter().filter(|field| is_published && text(package, field).is_none());
        problems.extend(missing.map(|field| format!("{name} is published and has no `{field}`")));
    }
    if text(npm, "version").as_ref() != Some(&version) {
        problems.push(format!("bindings/node/package.json has another version than {version}"));
    }
    if !changelog.contains(&format!("## [{version}] - ")) {
        problems.push(format!("CHANGELOG.md has no heading `## [{version}] - …`"));
    }
    problems
}

#[cfg(test)]
mod tests;
