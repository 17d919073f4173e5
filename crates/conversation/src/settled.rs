//! The result of a call that has come while other calls of the same message still run.

use serde::{Deserialize, Serialize};

use crate::message::ToolResult;
use crate::receipt::OffloadReceipt;

/// The result of a call, recorded when it has come. When all calls of the message have one, a message has all of them, and this record
/// says nothing any more. A turn that was cut off before continues with it. No view shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettledRecord {
    /// The result as the model sees it.
    pub result: ToolResult,
    /// What was stored of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offloaded: Option<OffloadReceipt>,
}
