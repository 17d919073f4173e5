//! Errors of memos and memory requests. The texts are for the model and for users.

use throughline_text::group_thousands;

use crate::files::FilesError;
use crate::memo::MAX_CONTENT;
use crate::memo_id::MemoId;
use crate::notes::NoteError;
use crate::tags::{MAX_TAG_CHARS, MAX_TAGS};

/// Why a memory request failed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// The arguments have another form than the tool's schema.
    #[error("the arguments of {tool} are wrong: {problem}")]
    Input {
        /// The tool.
        tool: &'static str,
        /// Which argument, and what it must be.
        problem: String,
    },
    /// There is nothing to remember.
    #[error("a memo must say something: its content is empty")]
    Empty,
    /// It is too long for a memo.
    #[error(
        "the content has {} bytes, and a memo at most {}: say it shorter, save several memos, or write it to a file \
         under memory/", group_thousands(*.bytes as u64), group_thousands(MAX_CONTENT as u64)
    )]
    TooLong {
        /// Its size.
        bytes: usize,
    },
    /// It has too many tags.
    #[error("{count} tags are too many: name at most {MAX_TAGS}, the ones that it will be looked for by")]
    TooManyTags {
        /// How many.
        count: usize,
    },
    /// An invalid tag.
    #[error(
        "{tag:?} is no tag: use a short word of letters and digits, at most {MAX_TAG_CHARS} characters, such as \
         arch-decision, gotcha or api-design"
    )]
    BadTag {
        /// The text.
        tag: String,
    },
    /// No memo has this name.
    #[error("there is no memo {0}; retrieve_memos lists those that there are")]
    NoMemo(MemoId),
    /// The memos or the index did not answer.
    #[error("the memory could not be reached")]
    Store(#[from] NoteError),
    /// The memory files could not be read.
    #[error("the memory files could not be read")]
    Files(#[from] FilesError),
}
