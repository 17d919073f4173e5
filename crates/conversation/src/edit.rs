//! Edits: how the view differs from the log.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{ResultRef, Seq, Span};
use crate::origin::Origin;

/// Why an edit was made. It names the event that starts a new cache epoch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditReason {
    /// The window was filled to the compact threshold.
    CompactThreshold,
    /// The window was filled to the block threshold.
    BlockThreshold,
    /// A new user message came and the early compaction threshold was reached.
    #[serde(alias = "opportune")]
    Early,
    /// The session waits for its user, and the prompt cache is about to expire.
    Idle,
    /// The provider said that the request was too long.
    Overflow,
    /// The user or the model asked for it.
    Manual,
    /// The session switched to a model with a smaller window.
    Switch,
    /// The provider rejected the request because of its images.
    Pictures,
    /// The caller's own list of messages ends earlier, or has other messages from here on.
    Rewound,
    /// Only the newest groups are shown. Such an edit applies until the next mark, which recreates it.
    Window,
}

impl EditReason {
    /// The event in a few words, for people.
    #[must_use]
    pub const fn cause(&self) -> &'static str {
        match self {
            Self::CompactThreshold => "compact threshold reached",
            Self::BlockThreshold => "block threshold reached",
            Self::Early => "early, at a new user message",
            Self::Idle => "before the prompt cache expired",
            Self::Overflow => "the provider rejected the request as too long",
            Self::Manual => "manual",
            Self::Switch => "switch to another model",
            Self::Pictures => "the provider rejected the pictures",
            Self::Rewound => "the caller's list of messages was rewound",
            Self::Window => "only the newest turns are in view",
        }
    }
}

/// One change of what the model sees. The log itself never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    /// Shows another text as the result of a call. The call, its id and the error flag stay.
    ReplaceResult {
        /// Id of the call.
        call_id: String,
        /// The text to show.
        text: String,
        /// Where the exact bytes are.
        stored: ResultRef,
    },
    /// Shows other arguments of a call.
    ReplaceInput {
        /// Id of the call.
        call_id: String,
        /// The arguments to show: a JSON object.
        input: Value,
        /// Where the exact arguments are, as JSON text.
        stored: ResultRef,
    },
    /// Replaces the images of a message by a text, after the text of each result that has some.
    ReplacePictures {
        /// The message's record.
        message: Seq,
        /// The text to show.
        text: String,
    },
    /// Hides a range of the log and shows a summary instead, if there is one.
    Cover {
        /// The range. It must begin and end at unit boundaries.
        span: Span,
        /// The text shown instead, as a message from the user's side.
        summary: Option<String>,
        /// How the summary was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<SummaryNote>,
    },
}

/// How a summary was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryNote {
    /// Its template, for example `dex`.
    pub template: String,
    /// The model that wrote it; `None` for an extractive summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its tokens by the counter in use.
    pub tokens: u64,
    /// What a provider's own compaction contributed; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderCompaction>,
    /// The range of the earlier summary that it extends, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Span>,
}

impl SummaryNote {
    /// Who wrote the summary, for people.
    #[must_use]
    pub fn author(&self) -> String {
        let model = self.model.as_deref().unwrap_or("extraction, no model");
        match &self.provider {
            None => model.to_owned(),
            Some(made) if made.item.is_none() => format!("{model}, compaction of {}", made.origin.provider),
            Some(made) => format!("{model}, with an opaque item of {}", made.origin.provider),
        }
    }
}

/// What a provider's own compaction contributed to a summary: its prose, or an opaque item next to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderCompaction {
    /// The provider, and the model that it compacted for.
    pub origin: Origin,
    /// The opaque item, which is shown to this model only. `None`: the prose of the summary is the provider's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Value>,
}

/// Actions that take effect together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Why.
    pub reason: EditReason,
    /// What, in order.
    pub actions: Vec<Action>,
    /// Names of the strategies that made the actions.
    pub strategies: Vec<String>,
}

impl Edit {
    /// Returns true for a compaction: an edit that neither the window of shown groups nor a rewound list makes.
    #[must_use]
    pub fn is_compaction(&self) -> bool {
        !matches!(self.reason, EditReason::Window | EditReason::Rewound)
    }
}

impl Edit {
    /// Who wrote its summaries, in their order.
    #[must_use]
    pub fn authors(&self) -> Vec<String> {
        let notes = self.actions.iter().filter_map(|action| match action {
            Action::Cover { note, .. } => note.as_ref(),
            _ => None,
        });
        notes.map(SummaryNote::author).collect()
    }

    /// The number of results and arguments for which another text is shown.
    #[must_use]
    pub fn trimmed(&self) -> u64 {
        let trims =
            |action: &&Action| matches!(action, Action::ReplaceResult { .. } | Action::ReplaceInput { .. });
        self.actions.iter().filter(trims).count() as u64
    }
}
