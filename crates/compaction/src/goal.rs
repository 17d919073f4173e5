//! What a compaction is asked to do.

use throughline_conversation::{EditReason, SessionId, TokenCounter, View};

use crate::{Spending, SummaryPrefix};

/// One compaction, asked for. All token figures are the counter's own, before calibration.
#[derive(Debug, Clone)]
pub struct Job<'a> {
    /// The session: names of stored bytes are made from it.
    pub session: &'a SessionId,
    /// The view to shrink. It is not changed.
    pub view: &'a View,
    /// Counts what the view is counted with.
    pub counter: &'a dyn TokenCounter,
    /// Tokens that the view may fill: the effective window without system prompt and tools.
    pub room: u64,
    /// Tokens of system prompt and tools: they are in every request, beside the view.
    pub fixed: u64,
    /// Tokens of a whole request from which on compaction is due; `None`: it never is by itself.
    pub compact_at: Option<u64>,
    /// How far.
    pub goal: Goal,
    /// Why, for the record.
    pub reason: EditReason,
    /// The session's request as it was sent last, when a provider has it in its cache.
    pub prefix: Option<SummaryPrefix<'a>>,
    /// What the user asks of a summary besides. It goes to the summarizer, where there is one.
    pub instructions: Option<&'a str>,
    /// Where it is told what summaries use of models; `None`: nobody wants to know.
    pub spending: Option<&'a Spending>,
}

impl Job<'_> {
    /// A prompt for a summary, with what the user asks for besides at its end, which no template's own rules follow.
    pub(crate) fn prompt(&self, prompt: String) -> String {
        const WISH: &str = include_str!("../texts/wish.md");
        match self.instructions.map(str::trim).filter(|wish| !wish.is_empty()) {
            Some(wish) => format!("{}\n\n{}{wish}", prompt.trim_end(), WISH),
            None => prompt,
        }
    }
}

/// How far a compaction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// As near to the policy's target as the protected messages allow. It succeeds when it shrinks the view
    /// by the policy's minimum gain.
    Deep,
    /// The view must have at most this many tokens. As deep as [`Goal::Deep`], and beyond it when that is
    /// not enough, whatever it takes.
    MustFit(u64),
}
