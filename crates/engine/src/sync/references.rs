//! The messages of a request, in terms of the list that was handed over.

use std::ops::Range;

use crate::engine::ContextEngine;

/// A message of the view, in terms of the list that was handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageRef {
    /// These messages of the list, unchanged: a caller reuses its own objects.
    Given(Range<usize>),
    /// These messages of the list, which the engine has changed: a preview of a large result, a shortened text.
    Changed(Range<usize>),
    /// A message that the engine has made: a summary, a note.
    Made,
}

impl ContextEngine {
    /// The messages of the next request, as references to the list that [`sync`](crate::Operation::sync) took over where they are
    /// unchanged.
    #[must_use]
    pub fn message_refs(&self) -> Vec<MessageRef> {
        let refs = self.view().entries().iter().map(|entry| {
            let known = self.known.at(entry.span).and_then(|known| Some((known, known.given.clone()?)));
            match known {
                Some((known, given)) if known.is_shown_by(&entry.message) => MessageRef::Given(given),
                Some((_, given)) => MessageRef::Changed(given),
                None => MessageRef::Made,
            }
        });
        refs.collect()
    }
}
