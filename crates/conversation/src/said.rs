//! What a view does not show any more and still stands: the user's rules and the last request.

use serde::{Deserialize, Serialize};

use crate::ids::{Seq, Span};
use crate::rules::rules_of;
use crate::transcript::{Entry, EntryKind};

/// More rules are not remembered; the oldest leave first.
const MAX_REMEMBERED: usize = 1_000;
/// More rules do not stand; the oldest leave first.
const MAX_RULES: usize = 200;
/// What was cut in its middle is no rule of the user any more.
const CUT: &str = " bytes left out …]";

/// The rules of the user and the last request, by the messages of a log that its marks do not hide.
///
/// Compactions and the window of shown groups take nothing out of it: they change what is shown, not what holds. A message
/// that is undone, dropped or deleted, or that a caller's list does not have any more, is not in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Oldest first; a rule that is said twice is there twice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rules: Vec<SaidText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<SaidText>,
}

/// A text of the user, and its message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SaidText {
    message: Seq,
    text: String,
}

impl Said {
    /// What messages of the user among entries say.
    #[must_use]
    pub fn of(entries: &[Entry]) -> Self {
        let mut said = Self::default();
        entries.iter().for_each(|entry| said.take(entry));
        said
    }

    /// The same without the last request, if these entries have it: a long one would be stored twice.
    #[must_use]
    pub fn without_shown_request(&self, entries: &[Entry]) -> Self {
        let is_shown = self.request == Self::request_of(entries);
        Self { rules: self.rules.clone(), request: self.request.clone().filter(|_| !is_shown) }
    }

    /// What was stored [without a shown request](Self::without_shown_request), with that of the entries.
    #[must_use]
    pub fn with_shown_request(self, entries: &[Entry]) -> Self {
        Self { request: self.request.or_else(|| Self::request_of(entries)), ..self }
    }

    /// The newest message of the user among entries.
    fn request_of(entries: &[Entry]) -> Option<SaidText> {
        let newest = entries.iter().rfind(|entry| is_of_user(entry))?;
        Some(SaidText { message: newest.span.last, text: newest.message.request_text() })
    }

    /// The rules that stand, oldest first: at most 200. A rule that is said once more counts as new.
    #[must_use]
    pub fn rules(&self) -> Vec<&str> {
        let mut rules: Vec<&str> = Vec::new();
        for rule in self.rules.iter().rev() {
            if rules.len() < MAX_RULES && !rules.contains(&rule.text.as_str()) {
                rules.push(&rule.text);
            }
        }
        rules.reverse();
        rules
    }

    /// The user's last request.
    #[must_use]
    pub fn request(&self) -> Option<&str> {
        self.request.as_ref().map(|request| request.text.as_str())
    }

    /// Adds what the next entry says, if it is a message of the user.
    pub(crate) fn take(&mut self, entry: &Entry) {
        if !is_of_user(entry) {
            return;
        }
        let (message, text) = (entry.span.last, entry.message.request_text());
        let rules = rules_of(&text).into_iter().filter(|rule| !rule.contains(CUT));
        self.rules.extend(rules.map(|rule| SaidText { message, text: rule.to_owned() }));
        self.rules.drain(..self.rules.len().saturating_sub(MAX_REMEMBERED));
        self.request = Some(SaidText { message, text });
    }

    /// Forgets the messages of a span that the log's reader is not to see any more. `left`: the entries without them.
    pub(crate) fn forget(&mut self, span: Span, left: &[Entry]) {
        let goes = |said: &SaidText| span.holds(Span::one(said.message));
        self.rules.retain(|rule| !goes(rule));
        if self.request.as_ref().is_some_and(goes) {
            self.request = Self::request_of(left);
        }
    }
}

/// Returns true if an entry is a message that the user wrote.
fn is_of_user(entry: &Entry) -> bool {
    entry.kind == EntryKind::User && !entry.message.is_of_hook()
}

#[cfg(test)]
mod tests;
