//! `cargo xtask examples`: compiles every example of the workspace and runs those that need no terminal and no network.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{output, steps, tree};

/// Examples that are compiled and not run.
const ONLY_COMPILED: &[(&str, &str)] =
    &[("scripted_session", "it needs a terminal"), ("training", "it needs the program that it trains")];

/// An example that takes longer hangs. Those that measure take a minute on a machine with other work.
const LIMIT: Duration = Duration::from_secs(300);

/// Keys of providers, so that no example asks a real model.
const KEYS: &[&str] =
    &["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OLLAMA_HOST"];

/// Compiles all, runs most, and prints the name of each.
pub(crate) fn run(root: &Path) -> Result<()> {
    let metadata =
        serde_json::from_slice(&tree::metadata(root)?).context("read the answer of `cargo metadata`")?;
    let names = names(&metadata)?;
    steps::run("compile the examples", &mut steps::cargo(root, &["build", "--workspace", "--examples"]))?;
    let target = tree::target(root)?;
    let home = target.join("examples-home");
    for name in &names {
        if let Some((_, reason)) = ONLY_COMPILED.iter().find(|(example, _)| example == name) {
            output::line(format_args!("-- example {name}: compiled, not run: {reason}"));
            continue;
        }
        // Each starts without anything that another one or the user has stored.
        if home.exists() {
            std::fs::remove_dir_all(&home).with_context(|| format!("remove `{}`", home.display()))?;
        }
        // The agent does not work in a folder that holds the user's home.
        let project = home.join("project");
        std::fs::create_dir_all(&project).with_context(|| format!("create `{}`", project.display()))?;
        let program = target.join("debug/examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        let mut command = std::process::Command::new(program);
        command
            .current_dir(&project)
            .env("HOME", &home)
            .env("XDG_DATA_HOME", &home)
            .env("XDG_CONFIG_HOME", &home);
        for key in KEYS {
            command.env_remove(key);
        }
        steps::run_within(&format!("example {name}"), command.stdin(Stdio::null()), LIMIT)?;
    }
    output::line(format_args!("examples: {} compiled, every one that can run here did", names.len()));
    Ok(())
}

/// The names of all examples. Programs of one name would overwrite each other.
fn names(metadata: &Value) -> Result<BTreeSet<String>> {
    let packages =
        metadata.get("packages").and_then(Value::as_array).context("cargo metadata without `packages`")?;
    let targets = packages.iter().filter_map(|package| package.get("targets")?.as_array()).flatten();
    let examples = targets.filter(|target| {
        let kinds = target.get("kind").and_then(Value::as_array);
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "example"))
    });
    let mut names = BTreeSet::new();
    for name in examples.filter_map(|target| target.get("name")?.as_str()) {
        if !names.insert(name.to_owned()) {
            bail!("two crates have an example `{name}`: rename one");
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests;
