//! The report of one replay.

use std::path::PathBuf;

use serde::Serialize;

use crate::bill::SentRequests;
use crate::costs::Spread;
use crate::figures::Figures;
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
    /// Requests whose time was recorded. Without times the figures with a clock equal those without.
    pub timed_requests: u64,
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
    /// What it costs, and what of the answers' needs had left.
    #[serde(flatten)]
    pub prices: PriceReport,
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
}

/// What a session costs under a policy, and what of its answers' needs had left. Costs are of all input, in tokens of
/// uncached input; ratios are over the cost of sending the whole history each time, with a window without end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PriceReport {
    /// Cost at Anthropic's multiples, with a cache that never expires.
    pub cost_anthropic: f64,
    /// The same at OpenAI's.
    pub cost_openai: f64,
    /// Its ratio.
    pub ratio_anthropic: f64,
    /// Its ratio at OpenAI's multiples.
    pub ratio_openai: f64,
    /// Cost at Anthropic's multiples when the cache expires after five idle minutes.
    pub cost_anthropic_clock: f64,
    /// Cost at OpenAI's multiples when the cache expires after 30 idle minutes.
    pub cost_openai_clock: f64,
    /// Its ratio.
    pub ratio_anthropic_clock: f64,
    /// Its ratio at OpenAI's multiples.
    pub ratio_openai_clock: f64,
    /// One more step for each answer that uses what its request no longer showed, at Anthropic's multiples.
    pub regret_anthropic: f64,
    /// The same at OpenAI's.
    pub regret_openai: f64,
    /// The ratio with the clock and with regret.
    pub ratio_anthropic_regret: f64,
    /// The same at OpenAI's multiples.
    pub ratio_openai_regret: f64,
    /// Requests for summaries, within `cost_anthropic_clock`.
    pub summaries_anthropic: f64,
    /// Requests that found Anthropic's cache expired.
    pub idle_restarts_anthropic: u64,
    /// Requests that found OpenAI's cache expired.
    pub idle_restarts_openai: u64,
    /// Answers whose request no longer showed a name or a line that they use.
    pub refetches: u64,
    /// Files that were read again after their content had left.
    pub files_read_again: u64,
    /// Requests that changed the prefix of the one before.
    pub rewrites: u64,
    /// Rewrites that made the request smaller.
    pub cuts: u64,
    /// Cuts that were followed by the next before they had paid back, at Anthropic's multiples.
    pub cuts_overtaken: u64,
    /// Of the names that calls used and that came from an earlier result: the share that was in the request.
    pub recall_names: f64,
    /// How many such names there were.
    pub recall_names_of: u64,
    /// Of the lines that edits quoted and that came from an earlier result: the share that was in the request.
    pub recall_edit_lines: f64,
    /// How many such lines there were.
    pub recall_edit_lines_of: u64,
    /// The requests themselves, for a bill at other prices.
    #[serde(skip)]
    pub sent: SentRequests,
}

impl PriceReport {
    /// The report of these figures.
    #[must_use]
    pub fn of(figures: &Figures) -> Self {
        let (anthropic, openai) = (&figures.anthropic, &figures.openai);
        Self {
            cost_anthropic: anthropic.cost_without_clock,
            cost_openai: openai.cost_without_clock,
            ratio_anthropic: anthropic.ratio_without_clock(),
            ratio_openai: openai.ratio_without_clock(),
            cost_anthropic_clock: anthropic.cost,
            cost_openai_clock: openai.cost,
            ratio_anthropic_clock: anthropic.ratio(),
            ratio_openai_clock: openai.ratio(),
            regret_anthropic: anthropic.regret,
            regret_openai: openai.regret,
            ratio_anthropic_regret: anthropic.ratio_with_regret(),
            ratio_openai_regret: openai.ratio_with_regret(),
            summaries_anthropic: anthropic.summaries,
            idle_restarts_anthropic: anthropic.restarts,
            idle_restarts_openai: openai.restarts,
            refetches: figures.refetches,
            files_read_again: figures.files_read_again,
            rewrites: figures.rewrites,
            cuts: figures.cuts,
            cuts_overtaken: figures.cuts_overtaken,
            recall_names: figures.names(),
            recall_names_of: figures.shares.names.of,
            recall_edit_lines: figures.lines(),
            recall_edit_lines_of: figures.shares.lines.of,
            sent: figures.sent.clone(),
        }
    }
}
