//! The contract of the memory's ports, as tests for any implementation.
//!
//! [`contract_memory`] takes one object for each port; all three must look at the same, empty memory.

#![expect(clippy::expect_used, reason = "a suite of tests fails by panicking")]

mod notes;
mod searching;

use throughline_conversation::Millis;

pub use notes::{
    contract_list_filters_and_orders, contract_memos_are_kept_once,
    contract_memos_of_one_workspace_are_apart, contract_names_are_short_and_free,
    contract_removed_memos_are_gone, contract_update_changes_what_it_says,
};
pub use searching::{
    contract_files_are_replaced_and_forgotten, contract_search_finds_words_and_ranks_them,
    contract_search_never_fails,
};

use crate::chunk::Chunk;
use crate::files::MemoryFile;
use crate::index::{FileIndex, MemoryHit, MemorySearch};
use crate::memo::{MemoDraft, MemoOrigin};
use crate::memo_id::MemoId;
use crate::notes::{MemoFilter, NoteRepository, Removal};
use crate::query::{Kinds, Query};
use crate::scope::Scope;

/// Runs the whole suite over an empty memory. It is empty again at the end.
pub async fn contract_memory(notes: &dyn NoteRepository, index: &dyn FileIndex, search: &dyn MemorySearch) {
    contract_memos_are_kept_once(notes).await;
    contract_memos_of_one_workspace_are_apart(notes).await;
    contract_names_are_short_and_free(notes).await;
    contract_update_changes_what_it_says(notes).await;
    contract_list_filters_and_orders(notes).await;
    contract_removed_memos_are_gone(notes, search).await;
    contract_files_are_replaced_and_forgotten(index, search).await;
    contract_search_finds_words_and_ranks_them(notes, index, search).await;
    contract_search_never_fails(search).await;
}

async fn clear(notes: &dyn NoteRepository) {
    for id in names(notes, &MemoFilter::of(Scope::All)).await {
        notes.remove(&Removal::Memo(id)).await.expect("remove");
    }
}

async fn names(notes: &dyn NoteRepository, filter: &MemoFilter) -> Vec<MemoId> {
    notes.list(filter).await.expect("list").into_iter().map(|memo| memo.id).collect()
}

async fn found(search: &dyn MemorySearch, query: &str, scope: &Scope) -> Vec<String> {
    let text = |hit| match hit {
        MemoryHit::Memo(memo) => memo.content,
        MemoryHit::Chunk { chunk, .. } => chunk.text,
    };
    let mut hits = search.search(&Query::of(query, Kinds::All), scope, 9).await.expect("search");
    let again = search.search(&Query::of(query, Kinds::All), scope, 9).await.expect("search");
    assert_eq!(hits, again, "the same question has another answer");
    hits.drain(..).map(text).collect()
}

fn draft(content: &str, tags: &[&str], workspace: Option<&str>, at: i64) -> MemoDraft {
    let origin = MemoOrigin { workspace: workspace.map(str::to_owned), ..MemoOrigin::default() };
    MemoDraft::new(content, tags, origin, Millis(at)).expect("a memo")
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn file(path: &str, workspace: Option<&str>) -> MemoryFile {
    MemoryFile {
        path: path.to_owned(),
        name: "MEMORY.md".to_owned(),
        workspace: workspace.map(str::to_owned),
        stamp: "1".to_owned(),
    }
}

fn chunk(line: u64, text: &str) -> Chunk {
    Chunk { first_line: line, last_line: line, text: text.to_owned() }
}
