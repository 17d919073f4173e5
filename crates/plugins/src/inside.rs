//! Paths that a plugin or a marketplace names, none of which leads out of its folder.

use std::io::{ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf};

/// A larger file is no manifest, no list and no configuration.
const MAX_BYTES: u64 = 1024 * 1024;

/// A path as written in a file, without `.` parts.
///
/// # Errors
/// It is absolute, begins with `~`, has `..` or is no path of this system. The text says what would be right.
pub(crate) fn relative(written: &str) -> Result<PathBuf, String> {
    let refused = |why: &str| {
        format!("the path {written:?} {why}; write one from the folder of the plugin on, such as ./commands")
    };
    if written.trim().is_empty() {
        return Err(refused("is empty"));
    }
    if written.starts_with('~') || written.contains(['\\', '\0']) {
        return Err(refused("has a part that is not used here"));
    }
    let mut path = PathBuf::new();
    for part in Path::new(written).components() {
        match part {
            Component::CurDir => {}
            Component::Normal(name) => path.push(name),
            Component::ParentDir => return Err(refused("has `..`, which leads out of its folder")),
            Component::RootDir | Component::Prefix(_) => return Err(refused("is absolute")),
        }
    }
    Ok(path)
}

/// The real path of something in a folder, which is a real path itself; `None`: it is missing.
///
/// # Errors
/// A link leads out of the folder, or the path cannot be followed.
pub(crate) fn real(root: &Path, path: &Path) -> Result<Option<PathBuf>, String> {
    let shown = path.display();
    match root.join(path).canonicalize() {
        Ok(real) if real.starts_with(root) => Ok(Some(real)),
        Ok(_) => Err(format!("{shown} is a link that leads out of the folder; replace it by what it names")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{shown} cannot be read: {error}")),
    }
}

/// The text of a file in a folder; `None`: it is missing.
///
/// # Errors
/// As for [`real`], or it is no file, too large, or no text.
pub(crate) fn text(root: &Path, path: &Path) -> Result<Option<String>, String> {
    let shown = path.display();
    let Some(real) = real(root, path)? else { return Ok(None) };
    if !real.is_file() {
        return Err(format!("{shown} is no file; remove it"));
    }
    let mut text = String::new();
    let read = std::fs::File::open(&real).and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
    match read {
        Ok(bytes) if bytes as u64 > MAX_BYTES => {
            Err(format!("{shown} is larger than {MAX_BYTES} bytes; write less into it"))
        }
        Ok(_) => Ok(Some(text)),
        Err(error) => Err(format!("{shown} cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests;
