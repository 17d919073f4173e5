//! A copy of the workspace's files in memory, which shows what a command changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ignore::WalkBuilder;

use crate::changed_file::{ChangedFile, ChangedFiles, FileContent};
use crate::root_folder::RootFolder;

/// Maximum number of files of a workspace that is watched.
const MAX_FILES: usize = 5_000;

/// Maximum bytes of a file whose content is copied.
const MAX_FILE: u64 = 1024 * 1024;

/// Maximum bytes of all copied contents.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// A file that changed this shortly before it was read may change again without a new modification time.
const CLOCK_STEP: Duration = Duration::from_secs(2);

/// Maximum number of things that are not copied and compared, of entries of one folder of them, and of changes that are said.
const MAX_OTHERS: usize = 1_000;
const MAX_INNER: usize = 200;
const MAX_SAID: usize = 20;

/// Reason why the workspace is not watched.
const TOO_LARGE: &str =
    "files that commands changed: the workspace has more than 5,000 files or 32 MiB that are not ignored";

/// The files of a workspace: without those that `.gitignore` excludes, without `.git`, and without links.
#[derive(Debug, Default)]
pub(crate) struct WorkspaceCopy {
    files: HashMap<PathBuf, CopiedFile>,
    /// What is not copied: links, pipes, and what is ignored.
    others: Option<BTreeMap<PathBuf, Other>>,
    too_large: bool,
}

/// Something that is not copied, as far as a change of it is seen.
#[derive(Debug, PartialEq, Eq)]
struct Other {
    kind: &'static str,
    state: Vec<(Option<SystemTime>, u64, u64)>,
}

#[derive(Debug)]
struct CopiedFile {
    stamp: FileStamp,
    read_at: SystemTime,
    content: FileContent,
}

#[derive(Debug, PartialEq, Eq)]
struct FileStamp {
    bytes: u64,
    modified: Option<SystemTime>,
    changed: (i64, i64),
    inode: u64,
    mode: u32,
}

impl FileStamp {
    fn of(metadata: &Metadata) -> Self {
        Self {
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
            mode: metadata.permissions().mode() & 0o7777,
        }
    }
}

impl CopiedFile {
    /// Returns true if the file has the content that was read.
    fn is_current(&self, stamp: &FileStamp) -> bool {
        let settled = |time: SystemTime| time.checked_add(CLOCK_STEP).is_some_and(|time| time < self.read_at);
        self.stamp == *stamp && stamp.modified.is_some_and(settled)
    }
}

impl WorkspaceCopy {
    /// Updates the copy and returns what changed since the last update. The first update returns every file as new.
    ///
    /// # Errors
    /// The reason why the workspace is not watched.
    pub(crate) fn update(&mut self, root: &RootFolder) -> Result<ChangedFiles, String> {
        if self.too_large {
            return Err(TOO_LARGE.to_owned());
        }
        let mut changes = ChangedFiles::default();
        let mut old = std::mem::take(&mut self.files);
        let mut bytes = 0;
        let (files, others) = entries_of(root);
        if let Some(old) = &self.others {
            changes.unreported.extend(changed_others(old, &others));
        }
        self.others = Some(others);
        for (path, metadata) in files {
            let (before, now) = copied(root, &path, &metadata, old.remove(&path));
            if let FileContent::Read { bytes: content, .. } = &now.content {
                bytes += content.len();
            }
            if self.files.len() == MAX_FILES || bytes > MAX_BYTES {
                *self = Self { too_large: true, ..Self::default() };
                return Err(TOO_LARGE.to_owned());
            }
            match (before, &now.content) {
                (Some(FileContent::Unread(_)), FileContent::Unread(why)) => {
                    changes.unreported.push(format!("{}: {why}", path.display()));
                }
                (Some(before), after) if before != *after => {
                    changes.files.push(ChangedFile { path: path.clone(), before, after: after.clone() });
                }
                _ => {}
            }
            self.files.insert(path, now);
        }
        let mut gone: Vec<(PathBuf, CopiedFile)> = old.into_iter().collect();
        gone.sort_by(|one, other| one.0.cmp(&other.0));
        changes.files.extend(gone.into_iter().map(|(path, file)| ChangedFile {
            path,
            before: file.content,
            after: FileContent::Missing,
        }));
        Ok(changes)
    }
}

/// Reads a file unless its copy is current. Returns what it was before, if it may have changed, and the copy.
fn copied(
    root: &RootFolder,
    path: &Path,
    metadata: &Metadata,
    old: Option<CopiedFile>,
) -> (Option<FileContent>, CopiedFile) {
    let stamp = FileStamp::of(metadata);
    match old {
        Some(old) if old.is_current(&stamp) => (None, old),
        old => {
            let read_at = SystemTime::now();
            let same = old.as_ref().is_some_and(|old| old.stamp == stamp);
            let content = content(root, path, &stamp);
            let before = match old {
                // An unread file with an unchanged stamp is unchanged.
                Some(old) if same && matches!(old.content, FileContent::Unread(_)) => None,
                Some(old) => Some(old.content),
                None => Some(FileContent::Missing),
            };
            (before, CopiedFile { stamp, read_at, content })
        }
    }
}

fn content(root: &RootFolder, path: &Path, stamp: &FileStamp) -> FileContent {
    if stamp.bytes > MAX_FILE {
        return FileContent::Unread("it is larger than 1 MiB".to_owned());
    }
    let unread = |error: &dyn std::fmt::Display| FileContent::Unread(format!("it cannot be read: {error}"));
    let inner = path.strip_prefix(root.path()).unwrap_or(path);
    let mut bytes = Vec::new();
    match root.open_regular(inner) {
        Err(error) => unread(&error),
        Ok((file, _)) => match file.take(MAX_FILE + 1).read_to_end(&mut bytes) {
            Err(error) => unread(&error),
            Ok(_) => FileContent::Read { bytes, mode: stamp.mode },
        },
    }
}

/// The files that are copied, and what is not.
fn entries_of(root: &RootFolder) -> (Vec<(PathBuf, Metadata)>, BTreeMap<PathBuf, Other>) {
    let walk = WalkBuilder::new(root.path())
        .hidden(false)
        .require_git(false)
        .git_global(false)
        .filter_entry(|entry| entry.file_name() != OsStr::new(".git"))
        .build();
    let (mut files, mut others) = (Vec::new(), BTreeMap::new());
    let (mut folders, mut seen) = (Vec::new(), HashSet::new());
    for entry in walk.filter_map(Result::ok) {
        let path = entry.path().to_owned();
        let Some(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            folders.push(path.clone());
        } else if kind.is_file() {
            files.extend(entry.metadata().ok().map(|metadata| (path.clone(), metadata)));
        } else {
            let kind = if kind.is_symlink() { "a link" } else { "a pipe, a socket or a device" };
            others.insert(path.clone(), Other::of(&path, kind));
        }
        seen.insert(path);
    }
    for entry in folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten().flatten() {
        let path = entry.path();
        if !seen.contains(&path) && entry.file_name() != OsStr::new(".git") && others.len() < MAX_OTHERS {
            let other = Other::of(&path, "ignored by .gitignore");
            others.insert(path, other);
        }
    }
    (files, others)
}

impl Other {
    /// A folder with what is directly in it.
    fn of(path: &Path, kind: &'static str) -> Self {
        let inner = path.symlink_metadata().ok().filter(Metadata::is_dir).and_then(|_| path.read_dir().ok());
        let inner = inner.into_iter().flatten().flatten().take(MAX_INNER).map(|entry| entry.path());
        let stamp = |path: PathBuf| {
            let found = path.symlink_metadata().ok()?;
            Some((found.modified().ok(), found.ino(), found.len()))
        };
        let mut state: Vec<_> = std::iter::once(path.to_owned()).chain(inner).filter_map(stamp).collect();
        // The order of a folder may change by itself.
        state.sort();
        Self { kind, state }
    }
}

/// What of them a command changed, made or removed.
fn changed_others(old: &BTreeMap<PathBuf, Other>, new: &BTreeMap<PathBuf, Other>) -> Vec<String> {
    let said =
        |path: &PathBuf, other: &Other| format!("{}: it is {}, and changed", path.display(), other.kind);
    let gone = old.iter().filter(|(path, _)| !new.contains_key(*path));
    let changed = new.iter().filter(|(path, other)| old.get(*path) != Some(other));
    let mut all: Vec<String> =
        gone.chain(changed).take(MAX_SAID).map(|(path, other)| said(path, other)).collect();
    all.sort();
    all
}

#[cfg(test)]
mod tests;
