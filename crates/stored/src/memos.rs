//! The memos of a data folder, as a person manages them.

use std::path::Path;

use throughline_config::project_root;
use throughline_memory::{
    Kinds, Memo, MemoDraft, MemoFilter, MemoId, MemoOrigin, MemoryHit, MemorySearch as _,
    NoteRepository as _, Query, Removal, Saved, Scope, normalised_tags,
};

use crate::error::{Error, Result};
use crate::session_id::now;
use crate::storage::Storage;

/// Maximum number of ids that an error names.
const NAMED: usize = 5;

/// Maximum number of results of a search.
const FOUND: usize = 50;

/// The memos that are in scope.
#[derive(Debug, Clone)]
pub struct Memos {
    /// Where they are stored.
    pub storage: Storage,
    /// Which ones.
    pub scope: Scope,
}

/// The memory of a session that works in this folder: the memos of the project around it, and the memory files of the folder.
#[must_use]
pub fn memo_scope(workspace: &Path) -> Scope {
    Scope::Project {
        root: project_root(workspace).display().to_string(),
        folder: workspace.display().to_string(),
    }
}

impl Memos {
    /// Those that a session in this folder sees: of its project, and of none.
    #[must_use]
    pub fn of_project(storage: Storage, workspace: &Path) -> Self {
        Self { storage, scope: memo_scope(workspace) }
    }

    /// Those of every folder.
    #[must_use]
    pub fn of_all(storage: Storage) -> Self {
        Self { storage, scope: Scope::All }
    }

    /// The memos with at least one of these tags, the last changed first. No tags: all of them.
    ///
    /// # Errors
    /// A tag cannot be used, or the storage failed.
    pub async fn list(&self, tags: &[String]) -> Result<Vec<Memo>> {
        let tags = normalised_tags(tags).map_err(|error| Error::usage(error.to_string()))?;
        let filter = MemoFilter { tags, ..MemoFilter::of(self.scope.clone()) };
        Ok(self.storage.store.notes().list(&filter).await?)
    }

    /// Searches for words, best match first.
    ///
    /// # Errors
    /// There is no word to search for, or the storage failed.
    pub async fn search(&self, words: &str) -> Result<Vec<Memo>> {
        let query = Query::of(words, Kinds::Memos);
        if query.is_empty() {
            return Err(Error::usage(format!(
                "{words:?} has no word to search for; words that occur in nearly every text are ignored"
            )));
        }
        let hits = self.storage.store.memory_search().search(&query, &self.scope, FOUND).await?;
        let memo = |hit| match hit {
            MemoryHit::Memo(memo) => Some(memo),
            MemoryHit::Chunk { .. } => None,
        };
        Ok(hits.into_iter().filter_map(memo).collect())
    }

    /// The memo of this id, or the only one whose id begins with it. `m-` may be left out.
    ///
    /// # Errors
    /// No memo, or more than one, has this name; or the storage failed.
    pub async fn find(&self, name: &str) -> Result<Memo> {
        let wanted = name.trim().trim_matches(['[', ']']).to_lowercase();
        let wanted = digits(&wanted);
        if wanted.is_empty() {
            return Err(Error::usage("name a memo: its id, or the start of one"));
        }
        let begins = |memo: &Memo| digits(memo.id.as_str()).starts_with(wanted);
        let mut own = self.list(&[]).await?;
        own.retain(begins);
        // An id may be the start of another one.
        if let Some(exact) = own.iter().position(|memo| digits(memo.id.as_str()) == wanted) {
            return Ok(own.swap_remove(exact));
        }
        if own.len() > 1 {
            let ids: Vec<&str> = own.iter().take(NAMED).map(|memo| memo.id.as_str()).collect();
            let ids = ids.join(", ");
            return Err(Error::usage(format!(
                "several memos begin with {name:?} ({ids}); write more of the id"
            )));
        }
        if let Some(only) = own.pop() {
            return Ok(only);
        }
        let all = Self { scope: Scope::All, ..self.clone() }.list(&[]).await?;
        Err(match all.into_iter().find(begins) {
            Some(Memo { id, workspace: Some(folder), .. }) => Error::MemoElsewhere { memo: id, folder },
            _ => Error::usage(format!("there is no memo {name:?}; `throughline memos list` lists them")),
        })
    }

    /// Adds a memo of the user. One with the same text is not added again.
    ///
    /// # Errors
    /// The text or a tag cannot be used, or the storage failed.
    pub async fn add(&self, text: &str, tags: &[String]) -> Result<Saved> {
        let workspace = self.scope.root().map(str::to_owned);
        let draft = MemoDraft::new(text, tags, MemoOrigin { workspace, ..MemoOrigin::default() }, now())?;
        Ok(self.storage.store.notes().save(&draft).await?)
    }

    /// Replaces the text and the tags of a memo. Returns the new memo; `None`: it has both already.
    ///
    /// # Errors
    /// The text or a tag cannot be used, or the storage failed.
    pub async fn update(&self, memo: &Memo, text: &str, tags: &[String]) -> Result<Option<Memo>> {
        let draft = MemoDraft::new(text, tags, MemoOrigin::default(), now())?;
        if (&draft.content, &draft.tags) == (&memo.content, &memo.tags) {
            return Ok(None);
        }
        Ok(Some(self.storage.store.notes().update(&memo.id, &draft).await?))
    }

    /// Deletes a memo. Returns `false` if it was deleted already. [`erase`](Self::erase) erases its bytes.
    ///
    /// # Errors
    /// The storage failed.
    pub async fn remove(&self, memo: &MemoId) -> Result<bool> {
        Ok(!self.storage.store.notes().remove(&Removal::Memo(memo.clone())).await?.is_empty())
    }

    /// Erases the bytes of changed and deleted memos from the files of the database. Returns `false` if another program has
    /// it open, so that they may remain in its write-ahead log until that program ends.
    ///
    /// # Errors
    /// The database failed.
    pub async fn erase(&self) -> Result<bool> {
        Ok(self.storage.store.forget_deleted().await?)
    }
}

/// An id without its prefix.
fn digits(id: &str) -> &str {
    id.strip_prefix("m-").unwrap_or(id)
}
