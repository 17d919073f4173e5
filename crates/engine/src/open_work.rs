//! What waits for the caller: the answer to a request, or the results of calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_completion::StopReason;
use throughline_conversation::{OffloadReceipt, Receipt, SectionText, ToolCall, ToolResult};

use crate::prefix::CacheState;
use crate::request_id::RequestId;

/// A request that is not answered yet.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    pub(crate) id: RequestId,
    pub(crate) receipt: Box<Receipt>,
    /// The counter's tokens of the request, before calibration.
    pub(crate) raw: u64,
    /// Those of the notes at its end, which are a part of `raw`.
    pub(crate) tail_tokens: u64,
    /// Its system prompt.
    pub(crate) system: Arc<[SectionText]>,
    /// The state of the prompt cache if the request is not sent.
    pub(crate) before: CacheState,
}

/// The calls of an answer.
#[derive(Debug)]
pub(crate) struct OpenCalls {
    pub(crate) calls: Vec<ToolCall>,
    /// Results by the place of their call.
    pub(crate) done: BTreeMap<usize, (ToolResult, Option<OffloadReceipt>)>,
    pub(crate) stop: StopReason,
    /// The model's text.
    pub(crate) text: String,
}

impl OpenCalls {
    /// The ids of the calls without a result.
    pub(crate) fn open_ids(&self) -> Vec<String> {
        self.open().map(|(_, call)| call.id.clone()).collect()
    }

    /// The calls without a result.
    pub(crate) fn open(&self) -> impl Iterator<Item = (usize, &ToolCall)> {
        self.calls.iter().enumerate().filter(|(place, _)| !self.done.contains_key(place))
    }
}
