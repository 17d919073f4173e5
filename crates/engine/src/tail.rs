//! Notes at the end of a request, behind the conversation: they change often, and nothing behind them is cached.

use throughline_conversation::{CheckpointRecord, TokenCounter};
use throughline_deferral::deferred_note;
use throughline_prompt::{context_note, longest_context_note};

use crate::session::tokens_of;

/// Notes that outlive one request.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// Where the session stood when it was resumed. Shown until the first turn ends.
    pub(crate) resumed: Option<String>,
    /// Checkpoint that the session was resumed from.
    pub(crate) resumed_from: Option<CheckpointRecord>,
    /// Memos about the turn's message.
    pub(crate) recalled: Option<String>,
    /// Complaints about document signals of the last answer.
    pub(crate) complaints: Vec<String>,
}

impl Tail {
    /// The notes behind these sections of the prompt.
    pub(crate) fn notes(&self, sections: Vec<String>) -> TailNotes {
        let mut texts = sections;
        texts.extend(self.resumed.clone());
        texts.extend(self.recalled.clone());
        texts.extend(self.complaints.iter().cloned());
        TailNotes { texts, deferred: 0, fullness: Fullness::Silent }
    }

    /// Removes all notes.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Removes the notes about the resume.
    pub(crate) fn end_resume(&mut self) {
        (self.resumed, self.resumed_from) = (None, None);
    }
}

/// All notes of one request. Those about tools and fullness are known for certain only when the conversation has its
/// final size; until then they are counted at their longest.
#[derive(Debug, Clone)]
pub(crate) struct TailNotes {
    texts: Vec<String>,
    /// Number of deferred tools.
    pub(crate) deferred: usize,
    pub(crate) fullness: Fullness,
}

/// The note about the fullness of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fullness {
    /// Nothing.
    Silent,
    /// A note is due whose percentage is not settled yet.
    Due,
    /// Used percentage of the effective window.
    Percent(u64),
}

impl Fullness {
    /// The note.
    pub(crate) fn note(self) -> Option<String> {
        match self {
            Self::Silent => None,
            Self::Due => Some(longest_context_note()),
            Self::Percent(percent) => Some(context_note(percent)),
        }
    }
}

impl TailNotes {
    /// Tokens of all notes.
    pub(crate) fn tokens(&self, counter: &dyn TokenCounter) -> u64 {
        tokens_of(counter, self.texts.iter().chain(&self.deferred_note()).chain(&self.fullness.note()))
    }

    /// The notes in their order.
    pub(crate) fn into_texts(self) -> Vec<String> {
        let (deferred, fullness) = (self.deferred_note(), self.fullness.note());
        self.texts.into_iter().chain(deferred).chain(fullness).collect()
    }

    fn deferred_note(&self) -> Option<String> {
        (self.deferred > 0).then(|| deferred_note(self.deferred))
    }
}
