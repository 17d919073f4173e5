//! A compaction in words.

use throughline_conversation::{CompactionReceipt, EditReason};

use crate::status::short_number;

/// A compaction in one line.
pub(super) fn compacted(receipt: &CompactionReceipt) -> String {
    let why = match receipt.reason {
        EditReason::CompactThreshold => "the window was nearly full",
        EditReason::BlockThreshold => "the window was full",
        EditReason::Early => "early, before the window is full",
        EditReason::Idle => "before the prompt cache expires",
        EditReason::Overflow => "the request was too long",
        EditReason::Manual => "as asked",
        EditReason::Switch => "for the new model",
        EditReason::Pictures => "the provider rejected the pictures",
        EditReason::Rewound => "the list of messages was rewound",
        EditReason::Window => "older turns are hidden",
    };
    let how = match receipt.strategies.as_slice() {
        [] => String::new(),
        names => {
            let done: Vec<&str> = names.iter().map(|name| strategy_text(name)).collect();
            format!(", {}", done.join(", "))
        }
    };
    format!(
        "compacted ({why}): {} → {} tokens of the request, {} → {} messages{how}{}",
        short_number(receipt.before_tokens),
        short_number(receipt.after_tokens),
        receipt.before_messages,
        receipt.after_messages,
        receipt.waited(),
    )
}

/// What a strategy did, for the user. An unknown strategy is shown by its name.
fn strategy_text(name: &str) -> &str {
    match name {
        "tool_clearing" | "tool_result_clearing" | "tool_response_removal" => "trimmed tool results",
        "drop_exchanges" => "dropped oldest turns",
        "summary" | "summarization" | "conversation_summary" | "history_summary" => "summarized older turns",
        "truncation" => "truncated older messages",
        other => other,
    }
}
