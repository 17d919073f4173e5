//! Keeping the index of memory files up to date.

use std::collections::BTreeMap;

use throughline_text::sanitized;

use crate::chunk::chunks;
use crate::error::MemoryError;
use crate::files::MemoryFiles;
use crate::index::FileIndex;
use crate::scope::Scope;

/// The outcome of an index update.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Synced {
    /// Files that were new or changed.
    pub(crate) indexed: usize,
    /// Files that are gone.
    pub(crate) forgotten: usize,
}

/// Indexes the memory files that have changed since they were indexed last, and forgets those that are gone. Files
/// that are unchanged are not read. Called before each search.
///
/// # Errors
/// [`MemoryError::Files`] and [`MemoryError::Store`]; what was done before the failure stays done, and the next call
/// does the rest.
pub(crate) async fn sync_files(
    files: &dyn MemoryFiles,
    index: &dyn FileIndex,
) -> Result<Synced, MemoryError> {
    let mut synced = Synced::default();
    let known = index.known(&Scope::folder(files.workspace())).await?;
    let mut gone: BTreeMap<&str, _> = known.iter().map(|file| (file.path.as_str(), file)).collect();
    for file in files.list().await? {
        if gone.remove(file.path.as_str()) == Some(&file) {
            continue;
        }
        match files.read(&file).await? {
            Some(text) => {
                index.replace(&file, &chunks(&sanitized(&text))).await?;
                synced.indexed += 1;
            }
            None => {
                index.forget(&file.path).await?;
                synced.forgotten += 1;
            }
        }
    }
    for path in gone.into_keys() {
        index.forget(path).await?;
        synced.forgotten += 1;
    }
    if synced != Synced::default() {
        tracing::debug!(
            indexed = synced.indexed,
            forgotten = synced.forgotten,
            "updated the index of memory files"
        );
    }
    Ok(synced)
}

#[cfg(test)]
mod tests;
