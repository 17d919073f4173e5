//! One version for crates, wheel and npm package, and what each crate has to say of itself to be published.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::tree;

/// Fields that a published crate has.
const FIELDS: &[&str] = &["description", "license", "repository", "readme"];

/// The package of the bindings for Node.js.
const NPM: &str = "bindings/node/package.json";

/// The entry of the registry of agents, from which editors install them.
const ACP: &str = "deploy/acp-registry/throughline/agent.json";

/// What is published next to the crates.
struct Packages {
    npm: Value,
    acp: Value,
}

/// Fails with everything that a release would stumble over.
pub(super) fn check(root: &Path) -> Result<()> {
    let metadata =
        serde_json::from_slice(&tree::metadata(root)?).context("read the answer of `cargo metadata`")?;
    let read =
        |file: &str| std::fs::read_to_string(root.join(file)).with_context(|| format!("read `{file}`"));
    let json =
        |file: &str| serde_json::from_str::<Value>(&read(file)?).with_context(|| format!("read `{file}`"));
    let packages = Packages { npm: json(NPM)?, acp: json(ACP)? };
    let problems = problems(&metadata, &packages, &read("CHANGELOG.md")?);
    if problems.is_empty() {
        return Ok(());
    }
    bail!("{}", problems.join("\n"));
}

/// What is wrong. The wheel has the version of its crate.
fn problems(metadata: &Value, others: &Packages, changelog: &str) -> Vec<String> {
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
    for (file, value) in [(NPM, &others.npm), (ACP, &others.acp)] {
        if text(value, "version").as_ref() != Some(&version) {
            problems.push(format!("{file} has another version than {version}"));
        }
    }
    let started = others.acp.pointer("/distribution/npx/package").and_then(Value::as_str);
    if started != Some(&format!("throughline-cli@{version}")) {
        problems.push(format!("{ACP} does not start `throughline-cli@{version}`"));
    }
    if !changelog.contains(&format!("## [{version}] - ")) {
        problems.push(format!("CHANGELOG.md has no heading `## [{version}] - …`"));
    }
    problems
}

#[cfg(test)]
mod tests;
