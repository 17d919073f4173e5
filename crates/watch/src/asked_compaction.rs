//! What the module asks when Claude Code is about to compact.

use serde::Deserialize;

use crate::transcripts::is_plain_id;

/// A compaction that Claude Code is about to make.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct AskedCompaction {
    /// What began it: `manual`, `auto`, `plugin`.
    pub(crate) trigger: String,
    /// The subagent that the conversation belongs to; `None`: the session's own.
    agent_id: Option<String>,
    /// What the user wrote behind `/compact`.
    pub(crate) instructions: Option<String>,
    /// Tokens of the model's window.
    pub(crate) window: Option<u64>,
    /// The ids of the newest calls that have a result.
    pub(crate) answered: Vec<String>,
    /// A turn of a thinking model is open: its calls may not stand without their thinking, which only Claude Code has.
    pub(crate) is_thinking: bool,
}

impl AskedCompaction {
    /// One at the threshold.
    pub(crate) fn at_threshold() -> Self {
        Self { trigger: "auto".to_owned(), ..Self::default() }
    }

    /// The id of the subagent. One that is no plain id names no file, so it counts as unknown.
    pub(crate) fn agent(&self) -> Option<&str> {
        self.agent_id.as_deref().map(|id| if is_plain_id(id) { id } else { "unknown" })
    }
}
