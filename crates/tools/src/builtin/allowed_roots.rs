//! The folders that file tools may use, and the check that a path is inside them.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use throughline_text::nearest_names;

use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::tool::ToolContext;

/// The folders that one call may use, with symbolic links resolved.
#[derive(Debug)]
pub(super) struct AllowedRoots {
    workspace: PathBuf,
    others: Vec<PathBuf>,
    /// The stored command outputs: readable, not writable.
    outputs: Option<PathBuf>,
}

impl AllowedRoots {
    /// The context's workspace and the scope's additional roots.
    ///
    /// # Errors
    /// An error output for the model when the workspace does not exist.
    pub(super) fn of(context: &ToolContext, scope: &FileScope) -> Result<Self, ToolOutput> {
        let workspace = context.workspace.canonicalize().map_err(|error| {
            let shown = context.workspace.display();
            ToolOutput::error(format!("The workspace {shown} is not there: {error}."))
        })?;
        let others = scope.roots().iter().filter_map(|root| root.canonicalize().ok()).collect();
        let outputs = scope.outputs().and_then(|folder| folder.canonicalize().ok());
        Ok(Self { workspace, others, outputs })
    }

    /// Resolves a path: absolute, with symbolic links followed. The last components need not exist.
    ///
    /// # Errors
    /// An error output for the model when the path is outside of the roots or cannot be resolved.
    pub(super) fn resolve(&self, path: &str) -> Result<PathBuf, ToolOutput> {
        if path.trim().is_empty() {
            return Err(ToolOutput::error("The path is empty. Name a file or a folder of the workspace."));
        }
        if path.contains('\0') {
            return Err(ToolOutput::error("The path has a zero byte, which no path can have. Leave it out."));
        }
        let wanted = self.workspace.join(path);
        let mut missing: Vec<OsString> = Vec::new();
        let mut there = wanted.as_path();
        let mut real = loop {
            match there.canonicalize() {
                Ok(real) => break real,
                Err(error) if there.symlink_metadata().is_ok() => {
                    let text =
                        format!("{path} cannot be followed: {error}. Check links and rights on the way.");
                    return Err(ToolOutput::error(text));
                }
                Err(_) => {}
            }
            match (there.components().next_back(), there.parent()) {
                (Some(Component::Normal(name)), Some(parent)) => {
                    missing.push(name.to_owned());
                    there = parent;
                }
                // A `..` after a missing folder cannot be resolved.
                _ => return Err(outside(path)),
            }
        };
        real.extend(missing.into_iter().rev());
        let readable = self.outputs.as_ref().is_some_and(|folder| real.starts_with(folder));
        if readable || self.root(&real).is_some() { Ok(real) } else { Err(outside(path)) }
    }

    /// Like [`Self::resolve`], for a path that must exist.
    ///
    /// # Errors
    /// An error output for the model, which suggests similar names if the path does not exist.
    pub(super) fn existing(&self, path: &str) -> Result<PathBuf, ToolOutput> {
        let real = self.resolve(path)?;
        if real.exists() {
            return Ok(real);
        }
        Err(ToolOutput::error(format!("There is no {path}.{}", self.similar_names(&real))))
    }

    /// Like [`Self::resolve`], for a path that a file tool is about to write.
    ///
    /// # Errors
    /// An error output for the model when the path is outside of the roots, read-only, or inside a `.git` folder.
    pub(super) fn writable(&self, path: &str) -> Result<PathBuf, ToolOutput> {
        let real = self.resolve(path)?;
        let Some(root) = self.root(&real) else {
            return Err(ToolOutput::error(format!(
                "{path} is an output of a command: it is read, not written."
            )));
        };
        let inner = real.strip_prefix(root).unwrap_or(&real);
        // Git hooks and settings run commands, so writing them would bypass the permissions of the shell tool.
        let of_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
        if inner.components().any(of_git) {
            return Err(ToolOutput::error(format!(
                "{path} belongs to git itself, and file tools do not write there. Use git commands with shell."
            )));
        }
        Ok(real)
    }

    /// The path as the model sees it: relative to the workspace, or absolute when it is outside.
    pub(super) fn shown(&self, real: &Path) -> String {
        let inner = real.strip_prefix(&self.workspace).unwrap_or(real);
        if inner.as_os_str().is_empty() { ".".to_owned() } else { inner.to_string_lossy().into_owned() }
    }

    /// The root that contains the path.
    fn root(&self, real: &Path) -> Option<&Path> {
        let roots = std::iter::once(&self.workspace).chain(&self.others);
        roots.map(PathBuf::as_path).find(|root| real.starts_with(root))
    }

    fn similar_names(&self, real: &Path) -> String {
        const MOST: usize = 5;
        let (Some(parent), Some(name)) = (real.parent(), real.file_name()) else { return String::new() };
        let Ok(entries) = parent.read_dir() else {
            let shown = self.shown(parent);
            return match self.root(parent) {
                Some(_) if parent.is_file() => format!(" {shown} is a file, not a folder."),
                Some(_) => format!(" The folder {shown} is not there either."),
                None => String::new(),
            };
        };
        let names: Vec<String> = entries
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect();
        let name = name.to_string_lossy();
        let mut close = nearest_names(&name, names.iter().map(String::as_str));
        close.truncate(MOST);
        if close.is_empty() {
            " list_files shows what is there.".to_owned()
        } else {
            format!(" Similar names in its folder: {}.", close.join(", "))
        }
    }
}

/// The error output for a failed file operation, with a hint where the cause allows one.
pub(super) fn failed(what: &str, path: &str, error: &std::io::Error) -> ToolOutput {
    let hint = match error.kind() {
        ErrorKind::PermissionDenied => " Its rights do not allow that.",
        ErrorKind::IsADirectory => " It is a folder; list_files shows what is in it.",
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => " A part of the path is a file, not a folder.",
        ErrorKind::StorageFull => " The disk is full; remove files that are not needed.",
        ErrorKind::InvalidFilename => " Take a shorter name.",
        _ => "",
    };
    ToolOutput::error(format!("Cannot {what} {path}: {error}.{hint}"))
}

fn outside(path: &str) -> ToolOutput {
    ToolOutput::error(format!(
        "{path} is outside of the workspace, where file tools may not go. Use a path inside; list_files shows them. \
         The user can let a folder in with `writable` in [tools] of the settings."
    ))
}
