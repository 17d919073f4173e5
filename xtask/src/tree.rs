//! The workspace as files: where it starts, and every text file that belongs to it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::steps;

/// A text file of the project. The path is relative to the workspace root, with forward slashes.
#[derive(Debug, Clone)]
pub(crate) struct TextFile {
    /// Where it is, for messages and for rules that go by name.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

impl TextFile {
    /// The last part of the path.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Returns true for Rust source.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

/// The workspace root. Cargo's variable comes first, so that a binary built elsewhere still works here.
pub(crate) fn root() -> Result<PathBuf> {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().map(Path::to_path_buf).context("the xtask folder has no parent folder")
}

/// What cargo says about the workspace, as JSON. Nothing outside of it is resolved, so this works without a network.
pub(crate) fn metadata(root: &Path) -> Result<Vec<u8>> {
    let output = steps::cargo(root, &["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .context("start `cargo metadata`")?;
    if !output.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}

/// Where cargo puts what it makes.
pub(crate) fn target(root: &Path) -> Result<PathBuf> {
    let metadata: Value =
        serde_json::from_slice(&metadata(root)?).context("read the answer of `cargo metadata`")?;
    let target = metadata.get("target_directory").and_then(Value::as_str);
    target.map(PathBuf::from).context("`cargo metadata` names no `target_directory`")
}

/// Every text file that git knows or would add, in git's order. Binary files are left out.
pub(crate) fn text_files(root: &Path) -> Result<Vec<TextFile>> {
    let listed = Command::new("git")
        .args(["ls-files", "-co", "--exclude-standard", "-z"])
        .current_dir(root)
        .output()
        .context("start `git ls-files` (this task asks git which files belong to the project)")?;
    if !listed.status.success() {
        bail!("`git ls-files` failed: {}", String::from_utf8_lossy(&listed.stderr).trim());
    }
    let names = String::from_utf8(listed.stdout).context("a file name is not UTF-8")?;
    let mut files = Vec::new();
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        if let Some(text) = read_text(&root.join(name))? {
            files.push(TextFile { path: name.to_owned(), text });
        }
    }
    Ok(files)
}

/// The text of a file; nothing for a binary file, a link, or one that is listed but deleted.
fn read_text(path: &Path) -> Result<Option<String>> {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_file() => {}
        _ => return Ok(None),
    }
    let bytes = std::fs::read(path).with_context(|| format!("read `{}`", path.display()))?;
    Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')))
}
