//! The folders that file tools may use, and the check that a path is inside them.

use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use throughline_text::nearest_names;

use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::regular_file::OpenError;
use crate::root_folder::{self, RootFolder};
use crate::target::resolve_target;
use crate::target_error::TargetError;
use crate::tool::ToolContext;

/// The folders that one call may use. They are open, and files are opened beneath them.
#[derive(Debug)]
pub(super) struct AllowedRoots {
    /// The workspace, then the others.
    roots: Vec<Arc<RootFolder>>,
    /// The stored command outputs: readable, not writable.
    outputs: Option<Arc<RootFolder>>,
    /// What the user lets the model read: a path, and an open folder that contains it.
    granted: Vec<(PathBuf, Arc<RootFolder>)>,
    scope: FileScope,
    target: Option<Result<PathBuf, TargetError>>,
}

/// A path of a call: a root, and a path beneath it without symbolic links.
#[derive(Debug, Clone)]
pub(super) struct FilePlace {
    root: Arc<RootFolder>,
    /// The absolute path.
    pub(super) real: PathBuf,
}

impl FilePlace {
    fn inner(&self) -> &Path {
        self.real.strip_prefix(self.root.path()).unwrap_or(&self.real)
    }

    /// The same root with the path of a file below this place.
    pub(super) fn at(&self, real: &Path) -> Self {
        Self { root: Arc::clone(&self.root), real: real.to_owned() }
    }

    /// The folder that the path is beneath.
    pub(super) fn root_path(&self) -> &Path {
        self.root.path()
    }

    /// Makes another place of the same root another name of the file; see [`RootFolder::relink`].
    pub(super) fn relink(&self, other: &Self) -> Result<(), Error> {
        self.root.relink(self.inner(), other.inner())
    }

    /// Returns true if the folder of the file is there.
    pub(super) fn has_folder(&self) -> bool {
        let folder = self.inner().parent();
        folder.and_then(|folder| self.root.metadata(folder).ok()).is_some_and(|found| found.is_dir())
    }

    /// The metadata of what is there.
    pub(super) fn metadata(&self) -> Result<Metadata, Error> {
        self.root.metadata(self.inner())
    }

    /// Opens a regular file for reading.
    pub(super) fn open(&self) -> Result<(File, Metadata), OpenError> {
        self.root.open_regular(self.inner())
    }

    /// Writes the file; see [`RootFolder::replace`].
    pub(super) fn replace(&self, content: &[u8]) -> Result<(), Error> {
        self.root.replace(self.inner(), content, None)
    }
}

impl AllowedRoots {
    /// The context's workspace and the scope's additional roots.
    ///
    /// # Errors
    /// An error output for the model when the workspace does not exist.
    pub(super) fn of(context: &ToolContext, scope: &FileScope) -> Result<Self, ToolOutput> {
        let workspace = scope.open_root(&context.workspace).map_err(|error| {
            let shown = context.workspace.display();
            ToolOutput::error(format!("The workspace {shown} is missing: {error}."))
        })?;
        let others = scope.roots().iter().filter_map(|root| scope.open_root(root).ok());
        let roots = std::iter::once(workspace).chain(others).map(Arc::new).collect();
        let outputs = scope.outputs().and_then(|folder| scope.open_root(&folder).ok()).map(Arc::new);
        let granted = scope.grants().paths().into_iter().filter_map(|path| {
            let folder = if path.is_dir() { &path } else { path.parent()? };
            let root = RootFolder::open(folder).ok()?;
            Some((path, Arc::new(root)))
        });
        let granted = granted.collect();
        Ok(Self { roots, outputs, granted, scope: scope.clone(), target: context.target.clone() })
    }

    /// Resolves a path unless the permissions were decided for a resolved one. The last components need not exist.
    ///
    /// # Errors
    /// An error output for the model when the path is outside of the roots or cannot be resolved.
    pub(super) fn resolve(&self, path: &str) -> Result<FilePlace, ToolOutput> {
        let resolved = self.target.clone().unwrap_or_else(|| resolve_target(self.workspace(), path));
        let real = resolved.map_err(|error| unresolved(path, error))?;
        let readable = self.outputs.as_ref().filter(|folder| real.starts_with(folder.path()));
        let granted = || self.granted.iter().find(|(path, _)| real.starts_with(path)).map(|(_, root)| root);
        match readable.or_else(|| self.root(&real)).or_else(granted) {
            Some(root) => Ok(FilePlace { root: Arc::clone(root), real }),
            None => Err(outside(path)),
        }
    }

    /// Like [`Self::resolve`], for a path that must exist.
    ///
    /// # Errors
    /// An error output for the model, which suggests similar names if the path does not exist.
    pub(super) fn existing(&self, path: &str) -> Result<(FilePlace, Metadata), ToolOutput> {
        let place = self.resolve(path)?;
        match place.metadata() {
            Ok(metadata) => Ok((place, metadata)),
            Err(error) if root_folder::is_race(&error) => Err(failed("open", path, &error)),
            Err(_) => Err(ToolOutput::error(format!("There is no {path}.{}", self.similar_names(&place)))),
        }
    }

    /// Like [`Self::resolve`], for a path that a file tool is about to write.
    ///
    /// # Errors
    /// An error output for the model when the path is outside of the roots, read-only, or inside a `.git` folder.
    pub(super) fn writable(&self, path: &str) -> Result<FilePlace, ToolOutput> {
        let place = self.resolve(path)?;
        let Some(root) = self.root(&place.real) else {
            let is_output = self.outputs.as_ref().is_some_and(|folder| place.real.starts_with(folder.path()));
            let what = if is_output { "an output of a command" } else { "outside of the workspace" };
            return Err(ToolOutput::error(format!("{path} is {what}: it is read, not written.")));
        };
        let place = FilePlace { root: Arc::clone(root), ..place };
        if self.scope.is_read_only(&place.real) {
            return Err(ToolOutput::error(format!(
                "{path} belongs to the settings and the data of the program that runs you, or is the task that you work on, and \
                 file tools never write there. The user can change it."
            )));
        }
        // Git hooks and settings run commands, so writing them would bypass the permissions of the shell tool.
        let of_git = |part: Component<'_>| part.as_os_str().eq_ignore_ascii_case(".git");
        if place.inner().components().any(of_git) {
            return Err(ToolOutput::error(format!(
                "{path} belongs to git itself, and file tools do not write there. Use git commands with shell."
            )));
        }
        Ok(place)
    }

    /// The path as the model sees it: relative to the workspace, or absolute when it is outside.
    pub(super) fn shown(&self, real: &Path) -> String {
        let inner = real.strip_prefix(self.workspace()).unwrap_or(real);
        if inner.as_os_str().is_empty() { ".".to_owned() } else { inner.to_string_lossy().into_owned() }
    }

    fn workspace(&self) -> &Path {
        self.roots.first().map_or(Path::new("/"), |root| root.path())
    }

    /// The root that contains the path.
    fn root(&self, real: &Path) -> Option<&Arc<RootFolder>> {
        self.roots.iter().find(|root| real.starts_with(root.path()))
    }

    fn similar_names(&self, place: &FilePlace) -> String {
        const MAX_NAMES: usize = 5;
        let (Some(parent), Some(name)) = (place.inner().parent(), place.inner().file_name()) else {
            return String::new();
        };
        let Ok(names) = place.root.names(parent) else {
            let shown = self.shown(&place.root.path().join(parent));
            return match place.root.metadata(parent) {
                Ok(found) if found.is_file() => format!(" {shown} is a file, not a folder."),
                _ => format!(" The folder {shown} is missing too."),
            };
        };
        let names: Vec<String> = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let name = name.to_string_lossy();
        let mut close = nearest_names(&name, names.iter().map(String::as_str));
        close.truncate(MAX_NAMES);
        if close.is_empty() {
            " list_files shows what is there.".to_owned()
        } else {
            format!(" Similar names in its folder: {}.", close.join(", "))
        }
    }
}

/// The error output for a failed file operation, with a hint where the cause allows one.
pub(super) fn failed(what: &str, path: &str, error: &Error) -> ToolOutput {
    let hint = match error.kind() {
        _ if root_folder::is_race(error) => " A part of the path was replaced meanwhile; call again.",
        ErrorKind::PermissionDenied => " Its rights do not allow that.",
        ErrorKind::IsADirectory => " It is a folder; list_files shows what is in it.",
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => " A part of the path is a file, not a folder.",
        ErrorKind::StorageFull => " The disk is full; remove files that are not needed.",
        ErrorKind::InvalidFilename => " Take a shorter name.",
        _ => "",
    };
    ToolOutput::error(format!("Cannot {what} {path}: {error}.{hint}"))
}

fn unresolved(path: &str, error: TargetError) -> ToolOutput {
    ToolOutput::error(match error {
        TargetError::Empty => "The path is empty. Name a file or a folder of the workspace.".to_owned(),
        TargetError::ZeroByte => "The path has a zero byte, which no path can have. Leave it out.".to_owned(),
        TargetError::TooLong => {
            let start: String = path.chars().take(40).collect();
            format!("The path {start}… is longer than the system takes. Take a shorter one.")
        }
        TargetError::NotFollowed(error) => {
            format!("{path} cannot be followed: {error}. Check links and rights on the way.")
        }
        TargetError::Unresolvable => return outside(path),
    })
}

fn outside(path: &str) -> ToolOutput {
    ToolOutput::error(format!(
        "{path} is outside of the workspace, where file tools may not go. Use a path inside; list_files shows them. \
         The user can let a folder in with `writable` in [tools] of the settings."
    ))
}
