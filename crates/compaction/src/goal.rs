//! The input of a compaction.

use throughline_conversation::{EditReason, SessionId, TokenCounter, View};

use crate::name_log::NameLog;
use crate::spending::Spending;
use crate::summarizer::SummaryPrefix;

/// The input of one compaction. All token figures are the counter's own, before calibration.
#[derive(Debug, Clone)]
pub struct CompactionJob<'a> {
    /// The session, from which references of stored bytes are derived.
    pub session: &'a SessionId,
    /// The view to shrink. It is not changed.
    pub view: &'a View,
    /// Counts what the view is counted with.
    pub counter: &'a dyn TokenCounter,
    /// Tokens that the view may fill: the effective window without system prompt and tools.
    pub room: u64,
    /// Tokens of system prompt and tools, which are in every request next to the view.
    pub fixed: u64,
    /// Tokens of a whole request at which compaction is due; `None` if it is never due by itself.
    pub compact_at: Option<u64>,
    /// How far.
    pub goal: Goal,
    /// The reason that the log records.
    pub reason: EditReason,
    /// The session's last request, if it is in a provider's prompt cache.
    pub prefix: Option<SummaryPrefix<'a>>,
    /// The user's own instructions for the summary. They go to the summarizer, if there is one.
    pub instructions: Option<&'a str>,
    /// The names of the whole session, where the policy lists them; `None` takes those of the view.
    pub names: Option<&'a NameLog>,
    /// Collects the usage of requests for summaries; `None` discards it.
    pub spending: Option<&'a Spending<'a>>,
    /// Summaries are written by rule, also where there is a model for them.
    pub by_rule: bool,
}

impl<'a> CompactionJob<'a> {
    /// A deep compaction of a view on the user's request, with nothing but the view in the window.
    #[must_use]
    pub fn new(session: &'a SessionId, view: &'a View, counter: &'a dyn TokenCounter, room: u64) -> Self {
        Self {
            session,
            view,
            counter,
            room,
            fixed: 0,
            compact_at: None,
            goal: Goal::Deep,
            reason: EditReason::Manual,
            prefix: None,
            instructions: None,
            names: None,
            spending: None,
            by_rule: false,
        }
    }

    /// A prompt for a summary with the user's instructions at its end, where no rule of a template follows them.
    #[must_use]
    pub fn summary_prompt(&self, prompt: String) -> String {
        match self.instructions.map(str::trim).filter(|wish| !wish.is_empty()) {
            Some(wish) => format!("{}\n\n{}{wish}", prompt.trim_end(), WISH),
            None => prompt,
        }
    }
}

/// What the user's instructions stand behind in a prompt for a summary.
const WISH: &str = include_str!("../texts/wish.md");

/// The user's instructions at the end of a prompt for a summary; empty: it has none.
pub(crate) fn wish_of(prompt: &str) -> &str {
    prompt.rsplit_once(WISH).map_or("", |(_, wish)| wish)
}

/// How far a compaction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// As near to the policy's target as the protected messages allow. It succeeds when it shrinks the view
    /// by the policy's minimum gain.
    Deep,
    /// The user asked for it. As [`Goal::Deep`], but any gain is enough and the circuit breaker has no say: the user decides
    /// what a cold cache is worth. Steps are protected only as far as the target allows, and with
    /// [instructions](CompactionJob::instructions) the strategies that follow them run first.
    Requested,
    /// The view must have at most this many tokens. As deep as [`Goal::Deep`], and beyond it when that is
    /// not enough, whatever it takes.
    MustFit(u64),
}
