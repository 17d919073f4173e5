//! Paths for completion behind an `@`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ignore::WalkBuilder;

/// Most paths that are looked at.
const MOST: usize = 50_000;
/// Most paths that are offered.
const OFFERED: usize = 50;
/// How long a list is good for: files come and go while somebody types.
const FRESH: Duration = Duration::from_secs(5);

/// A list of paths, and when it was made.
type Known = (Instant, Arc<[String]>);

/// The files of a workspace, those aside that git ignores.
#[derive(Debug, Clone)]
pub(super) struct Files {
    root: PathBuf,
    known: Arc<Mutex<Option<Known>>>,
}

impl Files {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), known: Arc::default() }
    }

    /// The folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The paths that fit best what was typed, best first.
    pub(super) async fn fitting(&self, typed: &str) -> Vec<String> {
        let (files, typed) = (self.clone(), typed.to_owned());
        let found = tokio::task::spawn_blocking(move || best(&files.all(), &typed));
        // A search that was abandoned has found nothing.
        found.await.unwrap_or_default()
    }

    fn all(&self) -> Arc<[String]> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, paths)) = known.as_ref().filter(|(at, _)| at.elapsed() < FRESH) {
            return Arc::clone(paths);
        }
        let paths: Arc<[String]> = walk(&self.root).into();
        *known = Some((Instant::now(), Arc::clone(&paths)));
        paths
    }
}

fn walk(root: &Path) -> Vec<String> {
    let mut walk = WalkBuilder::new(root);
    walk.hidden(true).require_git(false).follow_links(false);
    let mut paths = Vec::new();
    for entry in walk.build().flatten().take(MOST) {
        let Ok(path) = entry.path().strip_prefix(root) else { continue };
        if path.as_os_str().is_empty() {
            continue;
        }
        let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        paths.push(format!("{}{}", path.display(), if folder { "/" } else { "" }));
    }
    paths.sort_unstable();
    paths
}

/// Paths by how they fit: the name begins so, a part begins so, it stands somewhere, its letters come in this order.
fn best(paths: &[String], typed: &str) -> Vec<String> {
    let wanted = typed.to_lowercase();
    let mut found: Vec<(u8, usize, &String)> = paths
        .iter()
        .filter_map(|path| fit(&path.to_lowercase(), &wanted).map(|fit| (fit, path.len(), path)))
        .collect();
    found.sort_unstable();
    found.into_iter().take(OFFERED).map(|(_, _, path)| path.clone()).collect()
}

fn fit(path: &str, wanted: &str) -> Option<u8> {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    if path.starts_with(wanted) {
        return Some(0);
    }
    if name.starts_with(wanted) {
        return Some(1);
    }
    if path.contains(wanted) {
        return Some(2);
    }
    let mut letters = path.chars();
    wanted.chars().all(|letter| letters.any(|other| other == letter)).then_some(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_so_comes_first() {
        let paths: Vec<String> = [
            "Cargo.toml",
            "crates/",
            "crates/cli/src/chat.rs",
            "docs/chat.md",
            "src/lib.rs",
            "tests/c_h_a_t.rs",
        ]
        .map(str::to_owned)
        .to_vec();
        assert_eq!(best(&paths, "chat"), ["docs/chat.md", "crates/cli/src/chat.rs", "tests/c_h_a_t.rs"]);
        assert_eq!(best(&paths, "cra"), ["crates/", "crates/cli/src/chat.rs"]);
        assert_eq!(best(&paths, "").len(), 6);
        assert!(best(&paths, "zzz").is_empty());
    }

    #[tokio::test]
    async fn what_git_ignores_is_not_offered() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("target")).unwrap();
        std::fs::write(folder.path().join(".gitignore"), "target/\n").unwrap();
        std::fs::write(folder.path().join("target/x.rs"), "").unwrap();
        std::fs::write(folder.path().join("x.rs"), "").unwrap();
        assert_eq!(Files::new(folder.path()).fitting("x").await, ["x.rs"]);
    }
}
