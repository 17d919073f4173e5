//! What the list says of a transcript that was read once.

use throughline_completion::Dollars;
use throughline_conversation::Millis;

use super::read::{ReadTranscript, TranscriptPart};
use crate::agent_label::agent_label;

/// The figures of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TranscriptFigures {
    pub(crate) agent: String,
    pub(crate) title: String,
    pub(crate) model: String,
    pub(crate) turns: u64,
    pub(crate) requests: u64,
    /// Tokens of the newest request.
    pub(crate) tokens: Option<u64>,
    /// Tokens of its window.
    pub(crate) window: u64,
    pub(crate) compactions: u64,
    pub(crate) dollars: Dollars,
    /// Requests whose answers are in no turn.
    pub(crate) unshown: u64,
    /// When the last record was made; `None`: the file has no times.
    pub(crate) last: Option<Millis>,
}

impl TranscriptFigures {
    /// The figures of a transcript's part.
    pub(crate) fn of(read: &ReadTranscript, part: usize) -> Option<Self> {
        read.parts.get(part).map(|own| Self::of_part(read.format, own))
    }

    /// Those of a conversation in this format.
    pub(super) fn of_part(format: &str, own: &TranscriptPart) -> Self {
        let newest = own.points.last();
        Self {
            agent: agent_label(format).to_owned(),
            title: own.title.clone(),
            model: own.model.clone(),
            turns: own.audit.turns,
            requests: own.audit.requests,
            tokens: newest.map(|point| point.usage.prompt()),
            window: newest.map_or(0, |point| point.window.effective_window()),
            compactions: own.log.compaction_objects().len() as u64,
            dollars: own.dollars(),
            unshown: own.audit.unshown,
            last: own.times().map(|(_, last)| last),
        }
    }
}
