//! Edits: how the view differs from the log.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{ResultRef, Seq, Span};

/// Why an edit was made. It names the event that starts a new cache epoch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditReason {
    /// The window was filled to the compact threshold.
    CompactThreshold,
    /// The window was filled to the block threshold.
    BlockThreshold,
    /// A good moment came (a new user message) and the view was larger than it need be.
    Opportune,
    /// The provider said that the request was too long.
    Overflow,
    /// The user or the model asked for it.
    Manual,
    /// Another model goes on, and its window is smaller.
    Switch,
    /// The provider did not take the request for the pictures in it.
    Pictures,
    /// Only so many groups are shown. Such an edit counts until the next mark: then it is made anew.
    Window,
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
    /// Shows a text in the place of the pictures of a message, behind the text of each result that has some.
    ReplacePictures {
        /// The message's record.
        message: Seq,
        /// The text to show.
        text: String,
    },
    /// Hides a stretch of the log, and shows a text in its place when there is one.
    Cover {
        /// The stretch. It must begin and end at unit boundaries.
        span: Span,
        /// What is shown in its place, as a message from the user's side.
        summary: Option<String>,
        /// How the summary was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<SummaryNote>,
    },
}

/// How a summary was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryNote {
    /// The template that it follows, for example `dex`.
    pub template: String,
    /// The model that wrote its prose; `None`: it was made by rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its tokens by the counter in use.
    pub tokens: u64,
    /// The stretch of the summary that it goes on from, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Span>,
}

/// A group of actions that take effect together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Why.
    pub reason: EditReason,
    /// What, in order.
    pub actions: Vec<Action>,
    /// Names of the strategies that made the actions.
    pub strategies: Vec<String>,
}
