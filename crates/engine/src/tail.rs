//! Notes at the end of a request, behind the conversation: they change often, and nothing behind them is cached.

use throughline_conversation::{CheckpointRecord, TokenCounter};
use throughline_deferral::deferred_note;
use throughline_prompt::{context_note, longest_context_note};

use crate::checkpointing::ResumeNote;
use crate::session::tokens_of;

/// Notes that outlive one request.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// Where the session stood when it was resumed. Shown until the first turn ends.
    resumed: Option<ResumeNote>,
    /// The user has written since.
    is_asked: bool,
    /// Checkpoint that the session was resumed from.
    resumed_from: Option<CheckpointRecord>,
    /// Memos about the turn's message.
    recalled: Option<String>,
    /// Complaints about document signals of the last answer.
    complaints: Vec<String>,
}

impl Tail {
    /// The tail of a session that was resumed from this checkpoint, with the complaints about its last answer.
    pub(crate) fn of_resume(
        note: Option<ResumeNote>,
        checkpoint: Option<CheckpointRecord>,
        complaints: Vec<String>,
    ) -> Self {
        Self { resumed: note, resumed_from: checkpoint, complaints, ..Self::default() }
    }

    /// The notes behind these sections of the prompt.
    pub(crate) fn notes(&self, sections: Vec<String>) -> TailNotes {
        let mut texts = sections;
        let resumed =
            |note: &ResumeNote| if self.is_asked { &note.new_request } else { &note.same_work }.clone();
        texts.extend(self.resumed.as_ref().map(resumed));
        texts.extend(self.recalled.clone());
        texts.extend(self.complaints.iter().cloned());
        TailNotes { texts, deferred: 0, fullness: Fullness::Silent, standing: None }
    }

    /// Removes all notes.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Checkpoint that the note about the resume is made of.
    pub(crate) fn resumed_from(&self) -> Option<&CheckpointRecord> {
        self.resumed_from.as_ref()
    }

    /// Replaces the note about the resume.
    pub(crate) fn renew_resume(&mut self, note: Option<ResumeNote>) {
        self.resumed = note;
    }

    /// Takes a message of the user, with the memos that replace those of the previous one.
    pub(crate) fn ask(&mut self, memos: Option<String>) {
        self.is_asked = true;
        self.recalled = memos;
    }

    /// Replaces the complaints about the previous answer.
    pub(crate) fn complain(&mut self, complaints: Vec<String>) {
        self.complaints = complaints;
    }

    /// Adds complaints about an answer that was cut off.
    pub(crate) fn complain_too(&mut self, complaints: Vec<String>) {
        self.complaints.extend(complaints);
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
    deferred: usize,
    fullness: Fullness,
    /// Standing texts that the view does not show.
    standing: Option<String>,
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
    fn note(self) -> Option<String> {
        match self {
            Self::Silent => None,
            Self::Due => Some(longest_context_note()),
            Self::Percent(percent) => Some(context_note(percent)),
        }
    }
}

impl TailNotes {
    /// Sets the notes about tools and fullness.
    pub(crate) fn settle(&mut self, deferred: usize, fullness: Fullness) {
        (self.deferred, self.fullness) = (deferred, fullness);
    }

    /// Sets the note with standing texts.
    pub(crate) fn stand(&mut self, note: Option<String>) {
        self.standing = note;
    }

    /// The note about the fullness of the window.
    pub(crate) fn fullness_note(&self) -> Option<String> {
        self.fullness.note()
    }

    /// Tokens of all notes.
    pub(crate) fn tokens(&self, counter: &dyn TokenCounter) -> u64 {
        let own = self.standing.iter().chain(&self.texts);
        tokens_of(counter, own.chain(&self.deferred_note()).chain(&self.fullness_note()))
    }

    /// The notes in their order.
    pub(crate) fn into_texts(self) -> Vec<String> {
        let (deferred, fullness) = (self.deferred_note(), self.fullness_note());
        self.standing.into_iter().chain(self.texts).chain(deferred).chain(fullness).collect()
    }

    fn deferred_note(&self) -> Option<String> {
        (self.deferred > 0).then(|| deferred_note(self.deferred))
    }
}
