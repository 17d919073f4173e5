//! Keeping paths inside the workspace.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use crate::ToolOutput;
use crate::closeness::close_names;

/// The real place of a path in the workspace: absolute, with links followed. The last parts need not exist.
///
/// # Errors
/// An error output for the model when the place is outside, or cannot be known.
pub(super) fn place(workspace: &Path, path: &str) -> Result<PathBuf, ToolOutput> {
    let root = root(workspace)?;
    if path.trim().is_empty() {
        return Err(ToolOutput::error("The path is empty. Name a file or a folder of the workspace."));
    }
    let wanted = root.join(path);
    let mut missing: Vec<OsString> = Vec::new();
    let mut there = wanted.as_path();
    let mut real = loop {
        match there.canonicalize() {
            Ok(real) => break real,
            Err(error) if there.symlink_metadata().is_ok() => {
                let text = format!("{path} cannot be followed: {error}. Check links and rights on the way.");
                return Err(ToolOutput::error(text));
            }
            Err(_) => {}
        }
        match (there.components().next_back(), there.parent()) {
            (Some(Component::Normal(name)), Some(parent)) => {
                missing.push(name.to_owned());
                there = parent;
            }
            // A `..` behind a folder that does not exist has no place.
            _ => return Err(outside(path)),
        }
    };
    real.extend(missing.into_iter().rev());
    if real.starts_with(&root) { Ok(real) } else { Err(outside(path)) }
}

/// The same, of something that must be there.
///
/// # Errors
/// An error output for the model, with similar names when nothing is there.
pub(super) fn existing(workspace: &Path, path: &str) -> Result<PathBuf, ToolOutput> {
    let real = place(workspace, path)?;
    if real.exists() {
        return Ok(real);
    }
    Err(ToolOutput::error(format!("There is no {path}.{}", neighbours(&real, &root(workspace)?))))
}

/// How a place is named to the model: from the workspace on, with `/`.
pub(super) fn shown(workspace: &Path, real: &Path) -> String {
    let root = workspace.canonicalize().unwrap_or_else(|_| workspace.to_owned());
    let inner = real.strip_prefix(&root).unwrap_or(real);
    if inner.as_os_str().is_empty() { ".".to_owned() } else { inner.to_string_lossy().into_owned() }
}

/// What the model reads when a file operation fails.
pub(super) fn failed(what: &str, path: &str, error: &std::io::Error) -> ToolOutput {
    let mend = match error.kind() {
        ErrorKind::PermissionDenied => " Its rights do not allow that.",
        ErrorKind::IsADirectory => " It is a folder; list_files shows what is in it.",
        ErrorKind::NotADirectory => " A part of the path is a file, not a folder.",
        ErrorKind::StorageFull => " The disk is full; remove files that are not needed.",
        _ => "",
    };
    ToolOutput::error(format!("Cannot {what} {path}: {error}.{mend}"))
}

fn root(workspace: &Path) -> Result<PathBuf, ToolOutput> {
    workspace.canonicalize().map_err(|error| {
        ToolOutput::error(format!("The workspace {} is not there: {error}.", workspace.display()))
    })
}

fn outside(path: &str) -> ToolOutput {
    ToolOutput::error(format!(
        "{path} is outside of the workspace, where file tools may not go. Use a path inside; list_files shows them."
    ))
}

fn neighbours(real: &Path, root: &Path) -> String {
    const MOST: usize = 5;
    let (Some(parent), Some(name)) = (real.parent(), real.file_name()) else { return String::new() };
    let Ok(entries) = parent.read_dir() else {
        return match parent.strip_prefix(root) {
            Ok(inner) => format!(" The folder {} is not there either.", inner.display()),
            Err(_) => String::new(),
        };
    };
    let names: Vec<String> =
        entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
    let close = close_names(&name.to_string_lossy(), names.iter().map(String::as_str), MOST);
    if close.is_empty() {
        String::new()
    } else {
        format!(" Similar names in its folder: {}.", close.join(", "))
    }
}
