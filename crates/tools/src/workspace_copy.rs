//! A copy of the workspace's files in memory, which shows what a command changed.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;
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

/// Reason why the workspace is not watched.
const TOO_LARGE: &str =
    "files that commands changed: the workspace has more than 5,000 files or 32 MiB that are not ignored";

/// The files of a workspace: without those that `.gitignore` excludes, without `.git`, and without links.
#[derive(Debug, Default)]
pub(crate) struct WorkspaceCopy {
    files: HashMap<PathBuf, CopiedFile>,
    too_large: bool,
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
        for (path, metadata) in files_of(root) {
            let (before, now) = copied(root, &path, &metadata, old.remove(&path));
            if let FileContent::Read { bytes: content, .. } = &now.content {
                bytes += content.len();
            }
            if self.files.len() == MAX_FILES || bytes > MAX_BYTES {
                *self = Self { files: HashMap::new(), too_large: true };
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
    path: &std::path::Path,
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

fn content(root: &RootFolder, path: &std::path::Path, stamp: &FileStamp) -> FileContent {
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

fn files_of(root: &RootFolder) -> impl Iterator<Item = (PathBuf, Metadata)> {
    let walk = WalkBuilder::new(root.path())
        .hidden(false)
        .require_git(false)
        .git_global(false)
        .filter_entry(|entry| entry.file_name() != OsStr::new(".git"))
        .build();
    walk.filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| Some((entry.path().to_owned(), entry.metadata().ok()?)))
}

#[cfg(test)]
mod tests;
