//! What may be asked of a stored result.

use serde_json::Value;
use throughline_conversation::{ResultRef, whole_number};

use crate::repository::StoreError;

/// Bytes of a page when the request names no limit.
pub(crate) const DEFAULT_LIMIT: u64 = 4096;

/// Maximum bytes of a page. A higher limit counts as this.
pub const MAX_PAGE_BYTES: u64 = 16_384;

/// A request for a part of a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadRequest {
    /// Which result.
    pub ref_id: ResultRef,
    /// Where the page starts, in bytes of the stored content. Inside a character it moves to the next one. With
    /// a search: matches before it are skipped.
    pub offset: u64,
    /// Maximum bytes of text on the page; 0 counts as 4,096, more than 16,384 as that. One
    /// character, or one match, is shown even when it is longer.
    pub limit: u64,
    /// Shows the lines that have this text, in place of a page. Blank text counts as none.
    pub search: Option<String>,
}

/// Why a stored result cannot be read. The texts are for the model.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The request has another form than the tool's schema.
    #[error("the input of read_result is not valid: {0}")]
    Input(String),
    /// The session has no such result.
    #[error(
        "no result is stored under ref_id \"{0}\"; take the ref_id, letter by letter, from the text that \
         replaces the result"
    )]
    NotFound(ResultRef),
    /// The offset is behind the end.
    #[error("offset {offset} is behind the end: the result has {total} bytes")]
    PastEnd {
        /// The offset that was asked for.
        offset: u64,
        /// Size of the result in bytes.
        total: u64,
    },
    /// The store failed.
    #[error("the stored result could not be read")]
    Store(#[from] StoreError),
}

impl ReadRequest {
    /// The first page of a result.
    #[must_use]
    pub fn new(ref_id: ResultRef) -> Self {
        Self { ref_id, offset: 0, limit: DEFAULT_LIMIT, search: None }
    }

    /// Reads the arguments of a call of the tool. Digits in a string count as a number, and so does a whole number written as a
    /// fraction: models and clients write all of them.
    ///
    /// # Errors
    /// [`ReadError::Input`] names the argument that is missing or of another type.
    pub fn from_input(input: &Value) -> Result<Self, ReadError> {
        let Some(ref_id) = input.get("ref_id").and_then(Value::as_str) else {
            return Err(ReadError::Input("\"ref_id\" must be a string".to_owned()));
        };
        let search = match input.get("search") {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) => return Err(ReadError::Input("\"search\" must be a string".to_owned())),
        };
        Ok(Self {
            ref_id: ResultRef::from_text(ref_id),
            offset: number(input, "offset", 0)?,
            limit: number(input, "limit", DEFAULT_LIMIT)?,
            search,
        })
    }

    /// The limit that counts.
    pub(crate) fn page_bytes(&self) -> usize {
        let limit = if self.limit == 0 { DEFAULT_LIMIT } else { self.limit.min(MAX_PAGE_BYTES) };
        usize::try_from(limit).unwrap_or(usize::MAX)
    }

    /// The text to look for.
    pub(crate) fn query(&self) -> Option<&str> {
        self.search.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }
}

fn number(input: &Value, name: &str, default: u64) -> Result<u64, ReadError> {
    let value = match input.get(name) {
        None | Some(Value::Null) => return Ok(default),
        Some(value) => whole_number(value),
    };
    value.ok_or_else(|| ReadError::Input(format!("\"{name}\" must be a whole number, 0 or more")))
}

#[cfg(test)]
mod tests;
