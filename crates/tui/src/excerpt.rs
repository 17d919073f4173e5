//! The start and the end of a result, which is all that a card shows of it.

use throughline_text::{cut_end, cut_start};

/// Bytes of each of the two parts. A result that is not longer than both is whole.
const PART: usize = 4 * 1024;

/// The start and the end of a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultExcerpt {
    pub(crate) head: String,
    /// Lines between the two parts.
    pub(crate) left_out: usize,
    pub(crate) tail: String,
}

impl ResultExcerpt {
    /// The excerpt of a result, cut between lines where it has some.
    #[must_use]
    pub fn of(result: &str) -> Self {
        if result.len() <= 2 * PART {
            return Self { head: result.to_owned(), ..Self::default() };
        }
        let (head, tail) = (cut_end(result, PART), cut_start(result, PART));
        let head = head.rfind('\n').and_then(|end| head.get(..=end)).unwrap_or(head);
        let tail = tail
            .find('\n')
            .and_then(|end| tail.get(end + 1..))
            .filter(|rest| !rest.trim().is_empty())
            .unwrap_or(tail);
        let middle = result.get(head.len()..result.len() - tail.len()).unwrap_or_default();
        Self { head: head.to_owned(), left_out: middle.lines().count(), tail: tail.to_owned() }
    }

    /// The whole of a result, however long it is.
    #[must_use]
    pub fn whole(result: impl Into<String>) -> Self {
        Self { head: result.into(), ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.head.is_empty()
    }
}

impl From<&str> for ResultExcerpt {
    fn from(result: &str) -> Self {
        Self::of(result)
    }
}
