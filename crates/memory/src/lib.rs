//! Memory across sessions: memos that the model writes, memory files that users write, and their recall.
//!
//! A [`Memo`] is a short note with tags, stored in a [`NoteRepository`]. [`recall`] selects the few that are relevant for
//! a prompt, and [`recall_note`] renders them for the model. Memory files (`MEMORY.md`, `memory/*.md`) come through the
//! port [`MemoryFiles`]: [`memory_sections`] turns them into sections of the system prompt, and [`memory_search`] stores
//! their chunks in a [`FileIndex`] before it searches. [`MemorySearch`] finds both. The tools `save_memo`, `retrieve_memos` and
//! `memory_search` are defined and run here.
//!
//! ```
//! use throughline_conversation::Millis;
//! use throughline_memory::{
//!     InMemoryMemory, Kinds, MemoDraft, MemoOrigin, MemorySearch, NoteRepository, Query, Scope,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let memory = InMemoryMemory::new();
//! let memo = MemoDraft::new("Tests need a running Postgres.", &["tests"], MemoOrigin::default(), Millis(0))?;
//! memory.save(&memo).await?;
//!
//! let query = Query::of("why do the tests need postgres", Kinds::All);
//! assert_eq!(memory.search(&query, &Scope::All, 5).await?.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! Memos and memory files are outside of the history, so no compaction affects them. Conversely, nothing here affects
//! messages: ranked search answers queries and recalls notes, and never selects which part of a conversation a model
//! sees.
//!
//! The data types come from `conversation`. The `agent` runs the tools and places the note; the `store` crate stores memos
//! and index in a database and reads the files. This crate does not know prompts, requests, databases, folders or the
//! clock.

mod arguments;
mod bootstrap;
mod chunk;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod error;
mod files;
mod in_memory;
mod index;
mod keywords;
mod memo;
mod memo_id;
mod memo_tools;
mod notes;
mod query;
mod recall;
mod scope;
mod search_tool;
mod sync;
mod tags;
mod terms;
mod tool;

pub use bootstrap::{MemorySection, memory_sections};
pub use chunk::{Chunk, chunks};
pub use error::MemoryError;
#[cfg(any(test, feature = "mock"))]
pub use files::MockMemoryFiles;
pub use files::{FilesError, MemoryFile, MemoryFiles};
pub use in_memory::InMemoryMemory;
#[cfg(any(test, feature = "mock"))]
pub use index::MockMemorySearch;
pub use index::{FileIndex, MemoryHit, MemorySearch};
pub use memo::{Memo, MemoDraft, MemoOrigin};
pub use memo_id::MemoId;
pub use memo_tools::{retrieve_memos, save_memo};
#[cfg(any(test, feature = "mock"))]
pub use notes::MockNoteRepository;
pub use notes::{MemoFilter, NoteError, NoteRepository, Removal, Saved};
pub use query::{Kinds, Query, TAG_WEIGHT};
pub use recall::{recall, recall_from, recall_note};
pub use scope::Scope;
pub use search_tool::memory_search;
pub use tags::{merged_tags, normalised_tags};
pub use terms::terms;
pub use tool::{memo_rules, memory_search_tool, retrieve_memos_tool, save_memo_tool};
