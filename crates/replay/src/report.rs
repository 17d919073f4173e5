//! The report of one replay.

use std::path::PathBuf;

use serde::Serialize;

use crate::costs::Spread;
use crate::session::Format;

/// The report of one replay. Tokens are the provider's, if the recording has enough usage reports to learn the factor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionReport {
    /// The recording's own name.
    pub session: String,
    /// How it was recorded.
    pub format: Format,
    /// Where it was read from.
    pub file: PathBuf,
    /// Its model, where it names one.
    pub model: Option<String>,
    /// Turns that were replayed.
    pub turns: u64,
    /// Turns that failed; the replay continued with the next one.
    pub failed_turns: u64,
    /// Why the first of them failed.
    pub first_failure: Option<String>,
    /// Requests that were answered from the recording.
    pub requests: u64,
    /// Requests that the engine sent and the recorded agent did not: they were answered with a short text.
    pub unrecorded_requests: u64,
    /// Requests that break a rule of the provider.
    pub invalid_requests: u64,
    /// The first rules that were broken.
    pub faults: Vec<String>,
    /// Requests that a provider would have refused as too long.
    pub over_window: u64,
    /// Malformed entries that were repaired or skipped when the recording was read.
    pub repaired: u64,
    /// Compactions of the engine.
    pub compactions: u64,
    /// Edits of the view: after each, the cached prefix is shorter.
    pub epochs: u64,
    /// Results that were offloaded.
    pub offloads: u64,
    /// Times that a fallback replaced a subsystem.
    pub degradations: u64,
    /// Tokens read from the cache.
    pub tokens_cached: u64,
    /// Tokens written to the cache.
    pub tokens_written: u64,
    /// Tokens that were neither.
    pub tokens_uncached: u64,
    /// Cost of all input, in tokens of uncached input, at Anthropic's multiples.
    pub cost_anthropic: f64,
    /// The same at OpenAI's.
    pub cost_openai: f64,
    /// That cost over the cost of sending the whole history each time, with a window without end.
    pub ratio_anthropic: f64,
    /// The same at OpenAI's multiples.
    pub ratio_openai: f64,
    /// Cost of all input at Anthropic's multiples when the cache expires after five idle minutes.
    pub cost_anthropic_clock: f64,
    /// Cost of all input at OpenAI's multiples when the cache expires after 30 idle minutes.
    pub cost_openai_clock: f64,
    /// `cost_anthropic_clock` over the cost of the whole history with the same clock.
    pub ratio_anthropic_clock: f64,
    /// `cost_openai_clock` over the cost of the whole history with the same clock.
    pub ratio_openai_clock: f64,
    /// Requests that found Anthropic's cache expired.
    pub idle_restarts_anthropic: u64,
    /// Requests that found OpenAI's cache expired.
    pub idle_restarts_openai: u64,
    /// Requests whose time was recorded. Without times the figures with a clock equal those without.
    pub timed_requests: u64,
    /// Mean size of a request.
    pub mean_request_tokens: u64,
    /// Size of the largest request.
    pub peak_request_tokens: u64,
    /// Size of the largest request with the whole history in it.
    pub peak_full_tokens: u64,
    /// System prompt.
    pub system: Spread,
    /// Skill fragments.
    pub skills: Spread,
    /// Tool descriptions.
    pub tools: Spread,
    /// Messages, results and notes.
    pub conversation: Spread,
    /// Compactions of the agent that was recorded.
    pub recorded_compactions: u64,
    /// References shown to the model that resolved to the exact bytes.
    pub read_back_ok: u64,
    /// References that did not.
    pub read_back_failed: u64,
    /// A provider's tokens per token of the counter; 1 if the recording does not show it.
    pub factor: f64,
    /// Tokens of the placeholder for system prompt and schemas, by the counter.
    pub overhead: u64,
    /// The window.
    pub window: u64,
    /// Name of the engine's policy.
    pub policy: String,
    /// Name of the counter.
    pub estimator: String,
    /// Of the names that calls used and that came from an earlier result: the share that was in the request.
    pub recall_names: Option<f64>,
    /// How many such names there were.
    pub recall_names_of: Option<u64>,
    /// Of the lines that edits quoted and that came from an earlier result: the share that was in the request.
    pub recall_edit_lines: Option<f64>,
    /// How many such lines there were.
    pub recall_edit_lines_of: Option<u64>,
}
