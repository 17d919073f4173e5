//! Digests of a copied plugin: of all that it has, and of what it could run.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use throughline_text::hexadecimal;

use crate::error::{Attempt as _, Result};
use crate::plugin::Plugin;

/// Bytes of a digest that are used.
const BYTES: usize = 16;

/// A digest of all files of a folder, with their names, their contents, and whether they are programs.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn of_folder(root: &Path) -> Result<String> {
    digest(root, |_| true)
}

/// A digest of what a plugin could run: its hooks, its servers, and every file that one of them could start. Empty: it has neither.
///
/// # Errors
/// A file cannot be read.
pub(crate) fn of_what_runs(plugin: &Plugin) -> Result<String> {
    if !plugin.runs_something() {
        return Ok(String::new());
    }
    let mut hash = Sha256::new();
    for text in plugin.hooks.iter().chain(&plugin.servers) {
        add(&mut hash, text.text.as_bytes());
    }
    // Prompts and the manifest start nothing by themselves.
    let could_run =
        |path: &Path| !path.starts_with(".claude-plugin") && path.extension().is_none_or(|end| end != "md");
    add(&mut hash, digest(&plugin.root, could_run)?.as_bytes());
    Ok(shown(hash))
}

fn digest(root: &Path, wanted: impl Fn(&Path) -> bool) -> Result<String> {
    let mut paths = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(folder) = waiting.pop() {
        let place = root.join(&folder);
        let cannot = || format!("cannot read {}", place.display());
        for entry in place.read_dir().attempt(cannot)? {
            let entry = entry.attempt(cannot)?;
            let (path, kind) = (folder.join(entry.file_name()), entry.file_type().attempt(cannot)?);
            if kind.is_dir() {
                waiting.push(path);
            } else if wanted(&path) {
                paths.push((path, kind.is_symlink()));
            }
        }
    }
    paths.sort();
    let mut hash = Sha256::new();
    for (path, is_link) in paths {
        let place = root.join(&path);
        let cannot = || format!("cannot read {}", place.display());
        add(&mut hash, path.as_os_str().as_encoded_bytes());
        if is_link {
            add(&mut hash, fs::read_link(&place).attempt(cannot)?.as_os_str().as_encoded_bytes());
        } else {
            let mode = place.metadata().attempt(cannot)?.permissions().mode() & 0o111;
            add(&mut hash, &mode.to_le_bytes());
            add(&mut hash, &fs::read(&place).attempt(cannot)?);
        }
    }
    Ok(shown(hash))
}

fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

fn shown(hash: Sha256) -> String {
    hexadecimal(hash.finalize().iter().take(BYTES))
}
