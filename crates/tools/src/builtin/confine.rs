//! Keeping paths inside the folders that file tools may enter.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use throughline_text::nearest_names;

use crate::{FileScope, ToolContext, ToolOutput};

/// The folders of one call, with links followed.
#[derive(Debug)]
pub(super) struct Grounds {
    workspace: PathBuf,
    others: Vec<PathBuf>,
    /// Is read, and not written.
    outputs: Option<PathBuf>,
}

impl Grounds {
    /// The workspace of the context, and the folders that are allowed beside it.
    ///
    /// # Errors
    /// An error output for the model when the workspace is not there.
    pub(super) fn of(context: &ToolContext, scope: &FileScope) -> Result<Self, ToolOutput> {
        let workspace = context.workspace.canonicalize().map_err(|error| {
            let shown = context.workspace.display();
            ToolOutput::error(format!("The workspace {shown} is not there: {error}."))
        })?;
        let others = scope.roots().iter().filter_map(|root| root.canonicalize().ok()).collect();
        let outputs = scope.outputs().and_then(|folder| folder.canonicalize().ok());
        Ok(Self { workspace, others, outputs })
    }

    /// The real place of a path: absolute, with links followed. The last parts need not exist.
    ///
    /// # Errors
    /// An error output for the model when the place is outside, or cannot be known.
    pub(super) fn place(&self, path: &str) -> Result<PathBuf, ToolOutput> {
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
                // A `..` behind a folder that does not exist has no place.
                _ => return Err(outside(path)),
            }
        };
        real.extend(missing.into_iter().rev());
        let readable = self.outputs.as_ref().is_some_and(|folder| real.starts_with(folder));
        if readable || self.root(&real).is_some() { Ok(real) } else { Err(outside(path)) }
    }

    /// The same, of something that must be there.
    ///
    /// # Errors
    /// An error output for the model, with similar names when nothing is there.
    pub(super) fn existing(&self, path: &str) -> Result<PathBuf, ToolOutput> {
        let real = self.place(path)?;
        if real.exists() {
            return Ok(real);
        }
        Err(ToolOutput::error(format!("There is no {path}.{}", self.neighbours(&real))))
    }

    /// The same, of something that a file tool may write.
    ///
    /// # Errors
    /// An error output for the model when the place is outside, or belongs to git.
    pub(super) fn writable(&self, path: &str) -> Result<PathBuf, ToolOutput> {
        let real = self.place(path)?;
        let Some(root) = self.root(&real) else {
            return Err(ToolOutput::error(format!(
                "{path} is an output of a command: it is read, not written."
            )));
        };
        let inner = real.strip_prefix(root).unwrap_or(&real);
        // Hooks and settings in there run commands, so what writes files must not write them.
        let of_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
        if inner.components().any(of_git) {
            return Err(ToolOutput::error(format!(
                "{path} belongs to git itself, and file tools do not write there. Use git commands with shell."
            )));
        }
        Ok(real)
    }

    /// How a place is named to the model: from the workspace on, or whole when it lies elsewhere.
    pub(super) fn shown(&self, real: &Path) -> String {
        let inner = real.strip_prefix(&self.workspace).unwrap_or(real);
        if inner.as_os_str().is_empty() { ".".to_owned() } else { inner.to_string_lossy().into_owned() }
    }

    /// The folder of these grounds that the place is in.
    fn root(&self, real: &Path) -> Option<&Path> {
        let roots = std::iter::once(&self.workspace).chain(&self.others);
        roots.map(PathBuf::as_path).find(|root| real.starts_with(root))
    }

    fn neighbours(&self, real: &Path) -> String {
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

/// What the model reads when a file operation fails.
pub(super) fn failed(what: &str, path: &str, error: &std::io::Error) -> ToolOutput {
    let mend = match error.kind() {
        ErrorKind::PermissionDenied => " Its rights do not allow that.",
        ErrorKind::IsADirectory => " It is a folder; list_files shows what is in it.",
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => " A part of the path is a file, not a folder.",
        ErrorKind::StorageFull => " The disk is full; remove files that are not needed.",
        ErrorKind::InvalidFilename => " Take a shorter name.",
        _ => "",
    };
    ToolOutput::error(format!("Cannot {what} {path}: {error}.{mend}"))
}

fn outside(path: &str) -> ToolOutput {
    ToolOutput::error(format!(
        "{path} is outside of the workspace, where file tools may not go. Use a path inside; list_files shows them. \
         The user can let a folder in with `writable` in [tools] of the settings."
    ))
}
