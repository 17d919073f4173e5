//! The ports to the index of memory files and to the search over it and the memos.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::chunk::Chunk;
use crate::files::MemoryFile;
use crate::memo::Memo;
use crate::notes::NoteError;
use crate::query::Query;
use crate::scope::Scope;

/// Keeps memory files in pieces, so that they can be searched.
///
/// # Contract
/// - [`known`](FileIndex::known) MUST return the files of the scope as last passed to `replace`, by path.
/// - [`replace`](FileIndex::replace) MUST replace all chunks of the file, all or nothing. No
///   chunks is a file too: it is known, and nothing of it is found.
/// - [`forget`](FileIndex::forget) MUST leave nothing of the file; one that is not known is no error.
///
/// # When it fails
/// The search uses the chunks that were indexed before, and its answer says so.
#[async_trait]
pub trait FileIndex: Debug + Send + Sync {
    /// The files that are indexed.
    async fn known(&self, scope: &Scope) -> Result<Vec<MemoryFile>, NoteError>;

    /// Indexes a file.
    async fn replace(&self, file: &MemoryFile, chunks: &[Chunk]) -> Result<(), NoteError>;

    /// Removes a file from the index, by its path.
    async fn forget(&self, path: &str) -> Result<(), NoteError>;
}

const _: Option<&dyn FileIndex> = None;

/// Something that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryHit {
    /// A memo.
    Memo(Memo),
    /// A piece of a memory file.
    Chunk {
        /// Name of the file, as cited.
        name: String,
        /// The piece.
        chunk: Chunk,
    },
}

/// Searches memos and memory files.
///
/// Ranked search answers a question that was asked. It never chooses which part of a conversation a model sees: the
/// history stays in its order.
///
/// # Contract
/// - MUST find exactly what has at least one of the query's terms ([`crate::terms`]), also in its tags, and is of the
///   kind and scope asked for; at most `limit` of it. A query without terms finds nothing.
/// - MUST put first what has more, and rarer, of the terms (Okapi BM25 or better), and count a term among the tags
///   for more than one in the text.
/// - MUST give the same order for the same content.
/// - MUST NOT fail because of the content of the query.
///
/// # When it fails
/// The tool returns the error to the model.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait MemorySearch: Debug + Send + Sync {
    /// The matches of the query, best first.
    async fn search(&self, query: &Query, scope: &Scope, limit: usize) -> Result<Vec<MemoryHit>, NoteError>;
}

const _: Option<&dyn MemorySearch> = None;
