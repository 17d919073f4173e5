//! The pages of a list of a server, which may repeat them or never end.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::limits;

/// The pages that were read.
#[derive(Debug, Default)]
pub(crate) struct PageCursors {
    seen: BTreeSet<String>,
    pages: usize,
}

/// What follows a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextPage {
    /// Nothing: it was the last.
    Last,
    /// The page of this cursor.
    At(String),
    /// There is more, and it is not read. The reason is for the user.
    Truncated(&'static str),
}

impl PageCursors {
    /// Counts a page, and says what follows it.
    pub(crate) fn next(&mut self, page: &Value) -> NextPage {
        self.pages += 1;
        let cursor = page.get("nextCursor").and_then(Value::as_str);
        let Some(cursor) = cursor.filter(|cursor| !cursor.is_empty()) else { return NextPage::Last };
        if !self.seen.insert(cursor.to_owned()) {
            NextPage::Truncated("its pages repeat")
        } else if self.pages >= limits::PAGES {
            NextPage::Truncated("it has too many pages")
        } else {
            NextPage::At(cursor.to_owned())
        }
    }

    /// Number of pages.
    pub(crate) fn pages(&self) -> usize {
        self.pages
    }
}
