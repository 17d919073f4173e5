//! Paths for completion after an `@`.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ignore::WalkBuilder;

/// Maximum number of paths that are scanned.
const MAX_PATHS: usize = 50_000;
/// Maximum number of paths that are offered.
const OFFERED: usize = 50;
/// How long a list is reused: files come and go while the user types.
const FRESH: Duration = Duration::from_secs(5);

/// A list of paths, and when it was read.
type CachedPaths = (Instant, Arc<[String]>);

/// The files of a workspace, except those that git ignores.
#[derive(Debug, Clone)]
pub(super) struct Files {
    root: PathBuf,
    cached: Arc<Mutex<Cached>>,
    /// Number of the newest search; older ones are dropped.
    searches: Arc<AtomicU64>,
}

/// The lists without and with hidden files.
#[derive(Debug, Default)]
struct Cached {
    plain: Option<CachedPaths>,
    hidden: Option<CachedPaths>,
}

impl Files {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), cached: Arc::default(), searches: Arc::default() }
    }

    /// The folder.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The number of a new search.
    pub(super) fn next_search(&self) -> u64 {
        self.searches.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The best matches for the typed text, best first. Hidden files are among them if it begins with a dot, or a name behind a `/`
    /// does. `None`: a newer search has begun.
    pub(super) async fn matches(&self, typed: &str, search: u64) -> Option<Vec<String>> {
        let (files, typed) = (self.clone(), typed.to_owned());
        let found = tokio::task::spawn_blocking(move || {
            let paths = files.all(typed.starts_with('.') || typed.contains("/."), search)?;
            files.is_newest(search).then(|| best(&paths, &typed))
        });
        // An abandoned search finds nothing.
        found.await.unwrap_or_default()
    }

    fn is_newest(&self, search: u64) -> bool {
        self.searches.load(Ordering::Relaxed) == search
    }

    /// All paths; `None`: a newer search has begun while another one read them.
    fn all(&self, hidden: bool, search: u64) -> Option<Arc<[String]>> {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let list = if hidden { &mut cached.hidden } else { &mut cached.plain };
        if let Some((_, paths)) = list.as_ref().filter(|(at, _)| at.elapsed() < FRESH) {
            return Some(Arc::clone(paths));
        }
        if !self.is_newest(search) {
            return None;
        }
        let paths: Arc<[String]> = walk(&self.root, hidden).into();
        *list = Some((Instant::now(), Arc::clone(&paths)));
        Some(paths)
    }
}

fn walk(root: &Path, hidden: bool) -> Vec<String> {
    let mut walk = WalkBuilder::new(root);
    walk.hidden(!hidden).require_git(false).follow_links(false);
    walk.filter_entry(|entry| entry.file_name() != ".git");
    let mut paths = Vec::new();
    for entry in walk.build().flatten().take(MAX_PATHS) {
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

/// Ranks paths: the path begins with the text, its name does, it contains the text, it contains its letters in order.
fn best(paths: &[String], typed: &str) -> Vec<String> {
    let wanted = typed.to_lowercase();
    let mut found: Vec<(u8, usize, &String)> = paths
        .iter()
        .filter_map(|path| rank(&path.to_lowercase(), &wanted).map(|rank| (rank, path.len(), path)))
        .collect();
    found.sort_unstable();
    found.into_iter().take(OFFERED).map(|(_, _, path)| path.clone()).collect()
}

fn rank(path: &str, wanted: &str) -> Option<u8> {
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
mod tests;
