//! Cutting the results and inputs that are left, all to one size, as little as is needed.

use std::collections::HashMap;

use throughline_conversation::{ContentBlock, ToolCall, ToolResult};

use crate::blob::result_text;
use crate::draft::Draft;
use crate::plan::Plan;
use crate::strategies::tool_clearing::clip_strings;
use crate::strategy::StrategyError;
use crate::stub::{
    StoredReference, cleared_stub, inside_stored, parse_cleared, parse_stored, shortened_stub,
};

/// Sizes to try, in bytes of a result that stay in view. At 0 only the reference stays.
const SIZES: &[usize] = &[8_000, 4_000, 2_000, 1_000, 400, 0];
/// From this size on inputs are cut too.
const INPUTS_TOO: usize = 1_000;
/// Tokens of a reference and its sentences.
const FRAME: usize = 250;

/// Truncates until the limit is met, or nothing is left to truncate.
pub(super) fn shrink(draft: &mut Draft<'_>, plan: &Plan<'_>) -> Result<(), StrategyError> {
    let original = draft.original();
    let mut calls: HashMap<&str, &ToolCall> = HashMap::new();
    let mut results: HashMap<&str, &ToolResult> = HashMap::new();
    for block in original.iter().flat_map(|entry| &entry.message.content) {
        match block {
            ContentBlock::ToolCall(call) => {
                calls.entry(&call.id).or_insert(call);
            }
            ContentBlock::ToolResult(result) => {
                results.entry(&result.call_id).or_insert(result);
            }
            _ => {}
        }
    }
    for size in SIZES {
        let transcript = draft.view().transcript().clone();
        for block in transcript.entries().iter().flat_map(|entry| &entry.message.content) {
            match block {
                ContentBlock::ToolResult(shown) => {
                    if let (Some(call), Some(result)) =
                        (calls.get(shown.call_id.as_str()), results.get(shown.call_id.as_str()))
                    {
                        cut_result(draft, call, result, shown, *size);
                    }
                }
                ContentBlock::ToolCall(shown) if *size <= INPUTS_TOO => {
                    if let Some(call) = calls.get(shown.id.as_str()) {
                        clip_strings(draft, call, plan.policy.clip_bytes.min(*size));
                    }
                }
                _ => {}
            }
        }
        draft.settle()?;
        if draft.tokens() <= plan.limit {
            break;
        }
    }
    Ok(())
}

fn cut_result(draft: &mut Draft<'_>, call: &ToolCall, result: &ToolResult, shown: &ToolResult, size: usize) {
    let content = &result.content;
    let pictures = !shown.images.is_empty();
    let too_long = shown.content.len() > size + FRAME;
    if !(too_long || (size == 0 && pictures)) {
        return;
    }
    let before =
        parse_cleared(content).or_else(|| parse_stored(content)).filter(|_| result.images.is_empty());
    let known = before.is_some();
    let StoredReference { stored, bytes } = before.unwrap_or_else(|| {
        let all = result_text(result, &mut |image| draft.keep_picture(&call.name, image));
        StoredReference { stored: draft.keep(&call.name, all.as_bytes()), bytes: all.len() as u64 }
    });
    // A picture cannot be shown in part, and a cleared result has nothing left to show.
    if pictures && size > 0 {
        return;
    }
    let text = match size {
        0 => cleared_stub(bytes, &call.name, &stored, &[]),
        _ if parse_cleared(content).is_some() => return,
        _ => shortened_stub(
            if known { inside_stored(content) } else { content },
            bytes,
            &call.name,
            &stored,
            size,
        ),
    };
    if text.len() < shown.content.len() || (size == 0 && pictures) {
        draft.clear_result(&shown.call_id, text, stored);
    }
}
