//! Why an answer ended, in the words of the servers of this API.

use throughline_completion::{ModelError, StopReason};

/// Ends of an answer that its server could not complete (SGLang, z.ai, DeepSeek, OpenRouter, Gemini behind gateways).
const BROKEN: &[&str] = &[
    "abort",
    "aborted",
    "canceled",
    "cancelled",
    "error",
    "failed",
    "insufficient_system_resource",
    "internal_error",
    "malformed_function_call",
    "network_error",
    "other",
    "server_error",
    "timeout",
    "upstream_error",
];

/// The stop reason of a finish reason, in any case of letters.
///
/// # Errors
/// [`ModelError::Interrupted`] for an answer that the server broke off.
pub(super) fn stop(reason: &str) -> Result<StopReason, ModelError> {
    let lower = reason.to_ascii_lowercase();
    Ok(match lower.as_str() {
        // Snowflake Cortex names none; the others are words of other APIs behind gateways.
        "stop" | "" | "complete" | "end_turn" | "eos" | "eos_token" => StopReason::EndTurn,
        "stop_sequence" => StopReason::StopSequence,
        "tool_calls" | "function_call" | "tool_call" | "tool_use" => StopReason::ToolUse,
        "length" | "max_tokens" | "max_output_tokens" => StopReason::MaxTokens,
        // Mistral; the others by the names of errors.
        "model_length"
        | "context_length_exceeded"
        | "context_window_exceeded"
        | "model_context_window_exceeded" => StopReason::Other(StopReason::WINDOW_FULL.to_owned()),
        "content_filter" | "recitation" | "refusal" | "safety" | "sensitive" => StopReason::Refusal,
        broken if BROKEN.contains(&broken) => {
            let message = format!("the server ended it with the reason {reason:?}");
            return Err(ModelError::Interrupted { message });
        }
        _ => StopReason::Other(reason.to_owned()),
    })
}
