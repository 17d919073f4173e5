//! Memory files on disk: `MEMORY.md` and `memory/*.md` of a workspace and of the user.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use throughline_memory::{FilesError, MemoryFile, MemoryFiles};
use throughline_text::fingerprint;

/// Files above this size are not memory: they are left out.
const MAX_BYTES: u64 = 4 << 20;

/// Maximum number of fragments of one folder, by name.
const MAX_FRAGMENTS: usize = 1_000;

/// A file changed this recently may change again without a change of its times, so its content is looked at.
const RECENT: Duration = Duration::from_secs(3);

/// Reads the memory files of a workspace, and the user's own.
#[derive(Debug, Clone)]
pub struct DiskMemoryFiles {
    workspace: PathBuf,
    user: Option<PathBuf>,
}

impl DiskMemoryFiles {
    /// Looks into this workspace, and into the user's folder when there is one (that of the configuration).
    ///
    /// A link in the workspace that leads out of it is not followed: a workspace may come from a stranger. The user's
    /// own links are.
    #[must_use]
    pub fn new(workspace: impl Into<PathBuf>, user: Option<PathBuf>) -> Self {
        let workspace = workspace.into();
        let user = user.filter(|user| *user != workspace);
        Self { workspace, user }
    }

    fn listed(&self) -> Result<Vec<MemoryFile>, FilesError> {
        let roots = [Some(&self.workspace), self.user.as_ref()];
        let mut files = Vec::new();
        for root in roots.into_iter().flatten() {
            files.extend(self.file(root, &root.join("MEMORY.md")));
        }
        for root in roots.into_iter().flatten() {
            let fragments = fragments(&root.join("memory"))?;
            files.extend(fragments.iter().filter_map(|path| self.file(root, path)));
        }
        Ok(files)
    }

    /// What a path is listed as; `None` when it is no memory file.
    fn file(&self, root: &Path, path: &Path) -> Option<MemoryFile> {
        let metadata = fs::metadata(path).ok().filter(Metadata::is_file)?;
        let of_workspace = root == self.workspace;
        if of_workspace && !is_inside(root, path) {
            tracing::warn!(path = %path.display(), "left out a memory file: it leads out of the workspace");
            return None;
        }
        if metadata.len() > MAX_BYTES {
            tracing::warn!(path = %path.display(), bytes = metadata.len(), "left out a memory file: it is too large");
            return None;
        }
        let full = path.to_str()?;
        let name = if of_workspace { path.strip_prefix(root).ok()?.to_str()? } else { full };
        Some(MemoryFile {
            path: full.to_owned(),
            name: name.to_owned(),
            workspace: of_workspace.then(|| root.to_string_lossy().into_owned()),
            stamp: stamp(path, &metadata)?,
        })
    }

    fn text(&self, path: &str) -> Result<Option<String>, FilesError> {
        let path = Path::new(path);
        let roots = [Some(&self.workspace), self.user.as_ref()];
        let is_of =
            |root: &&PathBuf| path.parent().is_some_and(|at| at == **root || at == root.join("memory"));
        let Some(root) = roots.into_iter().flatten().find(is_of) else {
            return Ok(None);
        };
        // It may have become something else since it was listed.
        if self.file(root, path).is_none() {
            return Ok(None);
        }
        match fs::read(path) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(FilesError::Unreadable { path: path.display().to_string(), source }),
        }
    }
}

/// The `.md` files of a folder by name. A missing folder has none.
fn fragments(folder: &Path) -> Result<Vec<PathBuf>, FilesError> {
    let unreadable = |source| FilesError::Unreadable { path: folder.display().to_string(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(unreadable(error)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md")) {
            paths.push(path);
        }
    }
    paths.sort();
    paths.truncate(MAX_FRAGMENTS);
    Ok(paths)
}

fn is_inside(root: &Path, path: &Path) -> bool {
    match (fs::canonicalize(root), fs::canonicalize(path)) {
        (Ok(root), Ok(path)) => path.starts_with(root),
        _ => false,
    }
}

/// Another text when the content is another: size and times, and the content itself when it is so new that the times
/// may not tell. `None` when it cannot be read.
fn stamp(path: &Path, metadata: &Metadata) -> Option<String> {
    let modified = metadata.modified().unwrap_or(UNIX_EPOCH);
    let nanos = modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let mut stamp = format!("{}-{nanos}{}", metadata.len(), number(metadata));
    let age = SystemTime::now().duration_since(modified).unwrap_or_default();
    if age < RECENT {
        stamp.push_str(&format!("-{:016x}", fingerprint(&fs::read(path).ok()?)));
    }
    Some(stamp)
}

/// The file's number and the time of its last change of any kind: a file that replaced another has others.
#[cfg(unix)]
fn number(metadata: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt;
    format!("-{}-{}-{}", metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn number(_metadata: &Metadata) -> String {
    String::new()
}

/// Runs where it may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, FilesError> + Send + 'static,
) -> Result<T, FilesError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(FilesError::Other(error.into())))
}

#[async_trait]
impl MemoryFiles for DiskMemoryFiles {
    fn workspace(&self) -> String {
        self.workspace.to_string_lossy().into_owned()
    }

    async fn list(&self) -> Result<Vec<MemoryFile>, FilesError> {
        let files = self.clone();
        blocking(move || files.listed()).await
    }

    async fn read(&self, file: &MemoryFile) -> Result<Option<String>, FilesError> {
        let (files, path) = (self.clone(), file.path.clone());
        blocking(move || files.text(&path)).await
    }
}
