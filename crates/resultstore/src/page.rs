//! Pages of a stored result.

use std::ops::Range;

use throughline_text::{cut_end, group_thousands};

use crate::lossy;
use crate::repository::StoredResult;
use crate::request::{ReadError, ReadRequest};
use crate::search::{Hits, MatchKind, search};

/// Maximum bytes of a search text that are repeated in the answer.
const ECHO: usize = 80;

/// A part of a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPage {
    /// For the model: a header line, then the content.
    pub text: String,
    /// The content alone. Without a search, the contents of all pages make the whole text.
    pub content: String,
    /// Which bytes of the stored content it shows. With a search: those that were looked through and shown.
    pub range: Range<u64>,
    /// Size of the stored content in bytes.
    pub total: u64,
    /// Offset of the next page; `None` if this was the last one.
    pub next_offset: Option<u64>,
}

impl ResultPage {
    /// The part of a result that a request asks for.
    pub(crate) fn of(result: &StoredResult, request: &ReadRequest) -> Result<Self, ReadError> {
        let total = result.content.len() as u64;
        let past = || ReadError::PastEnd { offset: request.offset, total };
        let offset = usize::try_from(request.offset).map_err(|_| past())?;
        if offset > result.content.len() {
            return Err(past());
        }
        Ok(match request.query() {
            None => plain(result, offset, request.page_bytes()),
            Some(query) => {
                let hits = search(&result.content, query, offset, request.page_bytes());
                found(result, query, offset, hits)
            }
        })
    }
}

fn plain(result: &StoredResult, offset: usize, limit: usize) -> ResultPage {
    let bytes = &result.content;
    let start = lossy::next_boundary(bytes, offset);
    let rest = bytes.get(start..).unwrap_or_default();
    let end = (start + lossy::fit_start(rest, limit)).max(lossy::unit_end(bytes, start));
    let next_offset = (end < bytes.len()).then_some(end as u64);
    let next = next_offset.map_or_else(|| "this is the end".to_owned(), |next| format!("next offset={next}"));
    let content = lossy::text(bytes, start, end);
    let total = bytes.len() as u64;
    let text =
        format!("[{}: bytes {start}–{end} of {total}; {next}{}]\n{content}", head(result), caveat(result));
    ResultPage { text, content, range: start as u64..end as u64, total, next_offset }
}

fn found(result: &StoredResult, query: &str, offset: usize, hits: Hits) -> ResultPage {
    let total = result.content.len() as u64;
    let count = group_thousands(hits.total);
    let outcome = match (hits.total, hits.kind) {
        (0, _) => "nothing found, neither as written nor lines with all of its words".to_owned(),
        (_, MatchKind::Literal) => format!("{count} found"),
        (_, MatchKind::Words) => format!("not found as written; lines with all of its words: {count}"),
    };
    let mut says = format!("search for \"{}\": {outcome}", cut_end(query, ECHO));
    if hits.skipped > 0 {
        says.push_str(&format!(", {} before offset {offset}", group_thousands(hits.skipped)));
    }
    if let Some(next) = hits.next_offset {
        let more = group_thousands(hits.total.saturating_sub(hits.skipped).saturating_sub(hits.shown));
        says.push_str(&format!(", {more} more: search again with offset={next}"));
    }
    let form = if hits.shown > 0 { "; line:offset:text" } else { "" };
    let text = format!("[{}: {says}{form}{}]\n{}", head(result), caveat(result), hits.text);
    let next_offset = hits.next_offset.map(|next| next as u64);
    let range = offset as u64..next_offset.unwrap_or(total);
    ResultPage { text, content: hits.text, range, total, next_offset }
}

fn head(result: &StoredResult) -> String {
    format!("Result {} from \"{}\"", result.id, result.tool)
}

fn caveat(result: &StoredResult) -> &'static str {
    match std::str::from_utf8(&result.content) {
        Ok(_) => "",
        Err(_) => "; not UTF-8: shown with replacement characters",
    }
}

#[cfg(test)]
mod tests;
