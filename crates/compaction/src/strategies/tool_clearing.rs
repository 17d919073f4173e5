//! Old tool results and long inputs of old calls become references.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use serde_json::Value;
use throughline_conversation::{ContentBlock, Entry, ToolCall, ToolResult};
use throughline_text::cut_end;

use crate::digest::digest;
use crate::draft::Draft;
use crate::history::strings;
use crate::names::names;
use crate::plan::Plan;
use crate::policy::CompactionPolicy;
use crate::strategy::{Strategy, StrategyError};
use crate::stub::{cleared_stub, clipped_input, inside_stored, is_clipped, parse_cleared, parse_stored};

/// Replaces results older than the protected steps by a reference and a few names, oldest first, until the
/// aim is reached; then clips long strings in the inputs of calls as old. The originals are stored byte for byte.
#[derive(Debug, Clone, Copy, Default)]
pub struct ToolClearing;

/// Something that may be cleared.
#[derive(Debug, Clone, Copy)]
enum ClearTarget<'t> {
    Result(&'t ToolCall, &'t ToolResult),
    Input(&'t ToolCall),
}

#[async_trait]
impl Strategy for ToolClearing {
    fn name(&self) -> &'static str {
        "tool_clearing"
    }

    async fn apply<'d, 'p>(&self, draft: &mut Draft<'d>, plan: &Plan<'p>) -> Result<(), StrategyError> {
        /// What is chosen rests on an estimate, so it may take another round to come down to the aim.
        const ROUNDS: usize = 3;
        let units = draft.units();
        let old = units.get(..plan.first_protected(draft.view(), &units)).unwrap_or_default();
        let end = old.last().map_or(0, |unit| unit.entries.end);
        for _ in 0..ROUNDS {
            let before = draft.tokens();
            if before > plan.aim {
                clear_oldest(draft, plan, end)?;
            }
            if draft.tokens() == before {
                break;
            }
        }
        Ok(())
    }
}

/// Clears what is to be cleared of the first `end` entries.
fn clear_oldest(draft: &mut Draft<'_>, plan: &Plan<'_>, end: usize) -> Result<(), StrategyError> {
    let transcript = draft.view().transcript().clone();
    let entries = transcript.entries();
    let chosen = choose(entries, end, draft.tokens(), plan);
    let mut visible = visible(entries, &chosen);
    // Newest first: a name is listed where it was met last.
    for target in chosen.iter().rev() {
        match target {
            ClearTarget::Result(call, result) => clear(draft, call, result, &mut visible, plan.policy),
            ClearTarget::Input(call) => clip(draft, call, &mut visible, plan.policy),
        }
    }
    Ok(draft.settle()?)
}

/// What to clear, oldest first: results, then inputs, until the rest comes down to the aim.
fn choose<'t>(entries: &'t [Entry], end: usize, tokens: u64, plan: &Plan<'_>) -> Vec<ClearTarget<'t>> {
    let least = plan.policy.clear_min_bytes;
    let mut calls: HashMap<&str, &ToolCall> = HashMap::new();
    let (mut results, mut inputs) = (Vec::new(), Vec::new());
    for entry in entries.iter().take(end) {
        let whole = entry.message.content.iter().map(block_bytes).sum::<usize>().max(1);
        let gain = |bytes: usize| entry.tokens.saturating_mul(bytes as u64) / whole as u64;
        for call in entry.message.tool_calls() {
            let twice = calls.insert(&call.id, call).is_some();
            let long: usize =
                strings(&call.input).filter(|text| is_long(text, plan.policy.clip_bytes)).map(str::len).sum();
            if long > least && call.input.is_object() && !twice {
                inputs.push((ClearTarget::Input(call), gain(long)));
            }
        }
        for result in entry.message.tool_results() {
            let plain = result.images.is_empty() && parse_cleared(&result.content).is_none();
            if plain
                && result.content.len() > least
                && let Some(call) = calls.remove(result.call_id.as_str())
            {
                results.push((ClearTarget::Result(call, result), gain(result.content.len())));
            }
        }
    }
    let mut left = tokens;
    let mut chosen = Vec::new();
    for (target, gain) in results.into_iter().chain(inputs) {
        if left <= plan.aim {
            break;
        }
        // About a tenth stays as reference and names.
        left = left.saturating_sub(gain - gain / 10);
        chosen.push(target);
    }
    chosen
}

fn block_bytes(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text { text } => text.len(),
        ContentBlock::Thinking(thinking) => thinking.text.len(),
        ContentBlock::Image(_) => 0,
        ContentBlock::ToolCall(call) => strings(&call.input).map(str::len).sum(),
        ContentBlock::ToolResult(result) => result.content.len(),
    }
}

/// Names that stay in view when the targets are cleared.
fn visible<'t>(entries: &'t [Entry], chosen: &[ClearTarget<'t>]) -> HashSet<&'t str> {
    let mut results = HashSet::new();
    let mut inputs = HashSet::new();
    for target in chosen {
        match target {
            ClearTarget::Result(_, result) => results.insert(result.call_id.as_str()),
            ClearTarget::Input(call) => inputs.insert(call.id.as_str()),
        };
    }
    let mut visible = HashSet::new();
    for block in entries.iter().flat_map(|entry| &entry.message.content) {
        match block {
            ContentBlock::Text { text } => visible.extend(names(text)),
            ContentBlock::ToolCall(call) if !inputs.contains(call.id.as_str()) => {
                strings(&call.input).for_each(|text| visible.extend(names(text)));
            }
            ContentBlock::ToolResult(result) if !results.contains(result.call_id.as_str()) => {
                visible.extend(names(&result.content));
            }
            _ => {}
        }
    }
    visible
}

fn clear<'t>(
    draft: &mut Draft<'_>,
    call: &ToolCall,
    result: &'t ToolResult,
    visible: &mut HashSet<&'t str>,
    policy: &CompactionPolicy,
) {
    let content = &result.content;
    // A result that was offloaded on arrival keeps its reference: that one has all bytes, this text only a part.
    let (stored, bytes, shown) = match parse_stored(content) {
        Some(reference) => (reference.stored, reference.bytes, inside_stored(content)),
        None => (draft.keep(&call.name, content.as_bytes()), content.len() as u64, content.as_str()),
    };
    let text = cleared_stub(bytes, &call.name, &stored, &digest(shown, visible, policy));
    if text.len() < content.len() {
        draft.clear_result(&result.call_id, text, stored);
    } else {
        visible.extend(names(content));
    }
}

fn clip<'t>(
    draft: &mut Draft<'_>,
    call: &'t ToolCall,
    visible: &mut HashSet<&'t str>,
    policy: &CompactionPolicy,
) {
    let stored = draft.keep(&call.name, call.input.to_string().as_bytes());
    let keep = policy.clip_bytes;
    let mut cut = |text: &'t str| {
        let rest = text.get(cut_end(text, keep).len()..).unwrap_or_default();
        clipped_input(text, keep, &stored, &digest(rest, visible, policy))
    };
    let input = map_long(&call.input, keep, &mut cut);
    if input != call.input {
        draft.clip_input(&call.id, input, stored.clone());
    }
}

/// Cuts all long strings of a call's input, without listing names.
pub(super) fn clip_strings(draft: &mut Draft<'_>, call: &ToolCall, keep: usize) {
    if !call.input.is_object() || !strings(&call.input).any(|text| is_long(text, keep)) {
        return;
    }
    let stored = draft.keep(&call.name, call.input.to_string().as_bytes());
    let input = map_long(&call.input, keep, &mut |text| clipped_input(text, keep, &stored, &[]));
    if input != call.input {
        draft.clip_input(&call.id, input, stored.clone());
    }
}

/// Returns true if a string of an input is worth cutting.
fn is_long(text: &str, keep: usize) -> bool {
    /// The mark itself has about this size.
    const MARK: usize = 150;
    text.len() > keep + MARK && !is_clipped(text)
}

fn map_long<'t>(value: &'t Value, keep: usize, cut: &mut impl FnMut(&'t str) -> String) -> Value {
    match value {
        Value::String(text) if is_long(text, keep) => {
            let shorter = cut(text);
            Value::String(if shorter.len() < text.len() { shorter } else { text.clone() })
        }
        Value::Array(values) => values.iter().map(|value| map_long(value, keep, cut)).collect(),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (key.clone(), map_long(value, keep, cut))).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests;
