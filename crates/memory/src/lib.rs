//! What outlives sessions: memos that the model writes, memory files that people write, and how both come back.
//!
//! A [`Memo`] is a short note with tags, kept in a [`NoteRepository`]. [`recall`] picks the few that a prompt is about,
//! and [`recall_note`] hands them to the model. Memory files (`MEMORY.md`, `memory/*.md`) come through the port
//! [`MemoryFiles`]: [`memory_sections`] makes sections of the system prompt of them, and [`sync_files`] keeps their
//! pieces in a [`FileIndex`]. [`MemorySearch`] finds both. The tools `save_memo`, `retrieve_memos` and `memory_search`
//! are defined and run here.
//!
//! Memos and memory files stand outside the history, so no compaction touches them. The other way round, nothing here
//! touches messages: ranked search answers a question and recalls notes, and never chooses which part of a
//! conversation a model sees.
//!
//! The words come from `conversation`. The `agent` runs the tools and places the note; the `store` crate keeps memos
//! and index in a database and reads the files. This crate does NOT know what a prompt section is to a request, how
//! tools are called, what a database or a folder is, or what time it is.

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

pub use bootstrap::{ALL_CHARS, FILE_CHARS, MemorySection, bootstrap, memory_sections};
pub use chunk::{CHUNK_CHARS, Chunk, OVERLAP_CHARS, chunks};
pub use error::MemoryError;
#[cfg(any(test, feature = "mock"))]
pub use files::MockMemoryFiles;
pub use files::{FilesError, MemoryFile, MemoryFiles};
pub use in_memory::InMemoryMemory;
pub use index::{FileIndex, MemoryHit, MemorySearch};
#[cfg(any(test, feature = "mock"))]
pub use index::{MockFileIndex, MockMemorySearch};
pub use keywords::keywords;
pub use memo::{MAX_CONTENT, Memo, MemoDraft, MemoOrigin};
pub use memo_id::MemoId;
pub use memo_tools::{retrieve_memos, save_memo};
#[cfg(any(test, feature = "mock"))]
pub use notes::MockNoteRepository;
pub use notes::{MemoFilter, NoteError, NoteRepository, Removal, Saved};
pub use query::{Kinds, MAX_TERMS, Query, TAG_WEIGHT};
pub use recall::{MAX_RECALLED, recall, recall_from, recall_note};
pub use scope::Scope;
pub use search_tool::{DEFAULT_LIMIT, MAX_LIMIT, memory_search};
pub use sync::{Synced, sync_files};
pub use tags::{MAX_TAG_CHARS, MAX_TAGS, merged_tags, normalised_tag, normalised_tags};
pub use terms::terms;
pub use tool::{memo_rules, memory_search_tool, retrieve_memos_tool, save_memo_tool};
