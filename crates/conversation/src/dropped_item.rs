//! One item of a message that a user hides from the model.

use serde::{Deserialize, Serialize};

use crate::ids::{ExchangeId, ResultRef, Seq};
use crate::message::ContentBlock;

/// The result of a call or a picture that is dropped, or shown again. The message's record is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedItem {
    /// The exchange of the message.
    pub exchange: ExchangeId,
    /// The message's record.
    pub message: Seq,
    /// The index of its block.
    pub part: usize,
    /// What is shown instead; `None`: the item is shown again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
    /// Where the whole result is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<ResultRef>,
}

impl DroppedItem {
    /// Shows a text instead of an item. A result keeps its call; other blocks than results and pictures stay unchanged.
    pub(crate) fn replace(block: &mut ContentBlock, shown: &str) {
        match block {
            ContentBlock::ToolResult(result) => {
                shown.clone_into(&mut result.content);
                result.images.clear();
            }
            ContentBlock::Image(_) => *block = ContentBlock::Text { text: shown.to_owned() },
            _ => {}
        }
    }
}
