//! The memory in memory: the fake of tests, and the fallback when no database can be opened.

mod search;

use std::collections::BTreeMap;

use async_trait::async_trait;
use throughline_failpoint::InMemoryStore;

use crate::chunk::Chunk;
use crate::files::MemoryFile;
use crate::index::{FileIndex, MemoryHit, MemorySearch};
use crate::memo::{Memo, MemoDraft};
use crate::memo_id::MemoId;
use crate::notes::{MemoFilter, NoteError, NoteRepository, Removal, Saved};
use crate::query::Query;
use crate::scope::Scope;
use crate::tags::merged_tags;

/// Holds memos and indexed files until it is dropped.
pub type InMemoryMemory = InMemoryStore<StoredMemory>;

/// Memos and indexed files.
#[derive(Debug, Default)]
pub struct StoredMemory {
    memos: BTreeMap<MemoId, Memo>,
    files: BTreeMap<String, (MemoryFile, Vec<Chunk>)>,
}

impl StoredMemory {
    /// The memo of a workspace with this content.
    fn saying(&self, workspace: Option<&str>, content: &str) -> Option<&Memo> {
        let same = |memo: &&Memo| memo.content == content && memo.workspace.as_deref() == workspace;
        self.memos.values().find(same)
    }
}

#[async_trait]
impl NoteRepository for InMemoryMemory {
    async fn save(&self, draft: &MemoDraft) -> Result<Saved, NoteError> {
        let mut state = self.call().map_err(NoteError::Other)?;
        if let Some(there) = state.saying(draft.origin.workspace.as_deref(), &draft.content) {
            let mut memo = there.clone();
            let tags = merged_tags(&memo.tags, &draft.tags);
            if tags != memo.tags {
                memo.tags = tags;
                memo.updated = draft.at;
                state.memos.insert(memo.id.clone(), memo.clone());
            }
            return Ok(Saved { memo, new: false });
        }
        let free = draft.names().find(|id| !state.memos.contains_key(id));
        let id = free.ok_or_else(|| NoteError::Other("no name is free".into()))?;
        let memo = draft.named(id.clone());
        state.memos.insert(id, memo.clone());
        Ok(Saved { memo, new: true })
    }

    async fn update(&self, id: &MemoId, draft: &MemoDraft) -> Result<Memo, NoteError> {
        let mut state = self.call().map_err(NoteError::Other)?;
        let Some(mut memo) = state.memos.get(id).cloned() else {
            return Err(NoteError::Unknown(id.clone()));
        };
        let same = state.saying(memo.workspace.as_deref(), &draft.content);
        if let Some(other) = same.filter(|other| other.id != *id) {
            return Err(NoteError::Taken(other.id.clone()));
        }
        memo.content.clone_from(&draft.content);
        memo.tags.clone_from(&draft.tags);
        memo.updated = draft.at;
        state.memos.insert(id.clone(), memo.clone());
        Ok(memo)
    }

    async fn list(&self, filter: &MemoFilter) -> Result<Vec<Memo>, NoteError> {
        let state = self.call().map_err(NoteError::Other)?;
        let passes = |memo: &&Memo| {
            filter.scope.holds_memos(memo.workspace.as_deref())
                && filter.id.as_ref().is_none_or(|id| memo.id == *id)
                && (filter.tags.is_empty() || memo.tags.iter().any(|tag| filter.tags.contains(tag)))
        };
        let mut memos: Vec<Memo> = state.memos.values().filter(passes).cloned().collect();
        memos.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| a.id.cmp(&b.id)));
        memos.truncate(filter.limit);
        Ok(memos)
    }

    async fn remove(&self, removal: &Removal) -> Result<Vec<MemoId>, NoteError> {
        let mut state = self.call().map_err(NoteError::Other)?;
        let doomed = state.memos.values().filter(|memo| removal.takes(memo)).map(|memo| memo.id.clone());
        let doomed: Vec<MemoId> = doomed.collect();
        for id in &doomed {
            state.memos.remove(id);
        }
        Ok(doomed)
    }
}

#[async_trait]
impl FileIndex for InMemoryMemory {
    async fn known(&self, scope: &Scope) -> Result<Vec<MemoryFile>, NoteError> {
        let state = self.call().map_err(NoteError::Other)?;
        let files = state.files.values().map(|(file, _)| file);
        Ok(files.filter(|file| scope.holds_files(file.workspace.as_deref())).cloned().collect())
    }

    async fn replace(&self, file: &MemoryFile, chunks: &[Chunk]) -> Result<(), NoteError> {
        self.call()
            .map_err(NoteError::Other)?
            .files
            .insert(file.path.clone(), (file.clone(), chunks.to_vec()));
        Ok(())
    }

    async fn forget(&self, path: &str) -> Result<(), NoteError> {
        self.call().map_err(NoteError::Other)?.files.remove(path);
        Ok(())
    }
}

#[async_trait]
impl MemorySearch for InMemoryMemory {
    async fn search(&self, query: &Query, scope: &Scope, limit: usize) -> Result<Vec<MemoryHit>, NoteError> {
        Ok(search::search(&*self.call().map_err(NoteError::Other)?, query, scope, limit))
    }
}

#[cfg(test)]
mod tests;
