//! The texts of a request, to search for what an answer uses.

use std::collections::HashMap;

use throughline_conversation::Message;
use throughline_text::path_tail;

use super::text::{has_part, has_word, texts};

/// The texts of a request, newest first: most of what an answer uses is in the newest.
#[derive(Debug, Default)]
pub struct Shown<'a> {
    texts: Vec<&'a str>,
    /// Results by call, with their lengths.
    results: HashMap<&'a str, &'a str>,
}

impl<'a> Shown<'a> {
    /// The texts of these messages, oldest first, and of whatever else is in the request.
    pub fn of(
        messages: impl DoubleEndedIterator<Item = &'a Message>,
        more: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut shown = Self::default();
        for message in messages.rev() {
            shown.texts.extend(texts(message));
            for result in message.tool_results() {
                shown.results.insert(&result.call_id, &result.content);
            }
        }
        shown.texts.extend(more);
        shown
    }

    /// Returns true if a text has this name, with no letter, digit or `_` directly before or after it. Of a path its last
    /// two parts are enough: they find the file.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        let name = path_tail(name);
        self.texts.iter().any(|text| has_word(text, name))
    }

    /// Returns true if a text has this line.
    #[must_use]
    pub fn has(&self, line: &str) -> bool {
        self.texts.iter().any(|text| has_part(text, line))
    }

    /// Returns true if the result of this call is there, and not only a stub or a preview.
    #[must_use]
    pub fn has_result(&self, call: &str) -> bool {
        self.results.get(call).is_some_and(|content| !is_replaced(content))
    }
}

/// Stubs and previews name the reference of what they replace.
fn is_replaced(content: &str) -> bool {
    crate::refs(content).next().is_some()
}
