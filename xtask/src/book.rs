//! `cargo xtask book`: the pages of `docs` as a book, by mdBook, which is installed below the target folder when it is missing.
//!
//! A page links to sources, which are no part of the book. In the book such a link leads to the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::tree::TextFile;
use crate::{output, steps, tree};

/// The version that is installed.
const VERSION: &str = "0.5.4";

/// The pages.
const SOURCE: &str = "docs/";

/// The branch that links lead to.
const BRANCH: &str = "main";

/// Builds the book into `target/book`.
pub(crate) fn run(root: &Path) -> Result<()> {
    let target = tree::target(root)?;
    let program = installed(root, &target.join("tools"))?;
    let copy = target.join("book-source");
    if copy.exists() {
        fs::remove_dir_all(&copy).with_context(|| format!("remove `{}`", copy.display()))?;
    }
    copy_tree(&root.join(SOURCE), &copy.join(SOURCE))?;
    fs::copy(root.join("book.toml"), copy.join("book.toml")).context("copy `book.toml`")?;
    let repository = repository(root)?;
    for file in tree::text_files(root)?.iter().filter(|file| is_page(file)) {
        let text = outward(file, &repository);
        fs::write(copy.join(&file.path), text).with_context(|| format!("write `{}`", file.path))?;
    }
    let book = target.join("book");
    let mut build = Command::new(program);
    build.arg("build").arg(&copy).arg("--dest-dir").arg(&book);
    steps::run("book", &mut build)?;
    output::line(format_args!("book: {}", book.join("index.html").display()));
    Ok(())
}

fn is_page(file: &TextFile) -> bool {
    file.path.starts_with(SOURCE) && file.path.ends_with(".md")
}

/// A page whose links out of the book lead to the repository. Code has no such links.
fn outward(page: &TextFile, repository: &str) -> String {
    // The way from the page to the root.
    let depth = page.path.matches('/').count();
    let up = format!("]({}", "../".repeat(depth));
    page.text.replace(&up, &format!("]({repository}/blob/{BRANCH}/"))
}

/// The address of the repository, from the manifest of the program.
fn repository(root: &Path) -> Result<String> {
    let metadata: Value =
        serde_json::from_slice(&tree::metadata(root)?).context("read the answer of `cargo metadata`")?;
    let packages =
        metadata.get("packages").and_then(Value::as_array).context("metadata without `packages`")?;
    let address = packages.iter().find_map(|package| package.get("repository")?.as_str());
    address.map(str::to_owned).context("no package names its `repository`")
}

/// The path of mdBook: the one in the search path if it has this version, else one that is installed.
fn installed(root: &Path, tools: &Path) -> Result<PathBuf> {
    let own = tools.join("bin/mdbook");
    for program in [Path::new("mdbook"), &own] {
        let mut probe = Command::new(program);
        probe.arg("--version").stdout(Stdio::piped()).stderr(Stdio::null());
        if probe.output().is_ok_and(|shown| String::from_utf8_lossy(&shown.stdout).contains(VERSION)) {
            return Ok(program.to_owned());
        }
    }
    let mut install = steps::cargo(root, &["install", "mdbook", "--locked", "--version", VERSION, "--root"]);
    steps::run("install mdbook", install.arg(tools))?;
    Ok(own)
}

/// Copies a folder with everything in it.
fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("create `{}`", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("read `{}`", from.display()))? {
        let entry = entry.with_context(|| format!("read `{}`", from.display()))?;
        let (path, name) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_tree(&path, &name)?;
        } else if path.is_file() {
            fs::copy(&path, &name).with_context(|| format!("copy `{}`", path.display()))?;
        } else {
            bail!("`{}` is neither a file nor a folder", path.display());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
