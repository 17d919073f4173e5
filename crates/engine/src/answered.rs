//! What follows an answer.

use throughline_completion::StopReason;
use throughline_conversation::ToolCall;

/// What follows an answer, or the results of its calls.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// The caller runs these calls and hands back a result for each.
    Calls(Vec<ToolCall>),
    /// The caller asks for the next request: the model waits for results, or its provider paused a long turn.
    Request,
    /// The turn ends.
    Finished {
        /// The model's last text.
        text: String,
        /// Why it stopped.
        stop: StopReason,
    },
}
