//! Receipts: what was decided about a request, and why.

use serde::{Deserialize, Serialize};

use crate::breakpoint::CacheBreakpoint;
use crate::cache_use::{CacheDiagnosis, CacheForecast};
use crate::certificate::Certificate;
use crate::edit::EditReason;
use crate::ids::{ResultRef, Seq};
use crate::price_terms::PriceTerms;
use crate::regret::RegretReceipt;
use crate::tokens::{Components, FigureSource, ModelUse, Usage, is_zero};
use crate::web_search::{WebSearch, WebSource};

/// What was decided about one request. One is stored for every request that was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Number of the turn (a user message and the work on it) within the session, from 1.
    pub turn: u64,
    /// Number of the request within the session, from 1.
    pub request: u64,
    /// The request showed the view of the log up to this record.
    pub upto: Seq,
    /// How many edits that view had.
    pub epoch: u64,
    /// The model.
    pub model: String,
    /// How full the window was.
    pub window: WindowFigures,
    /// Pressure by the thresholds, for example `compact`.
    pub pressure: String,
    /// Every decision of the steps, in order.
    pub decisions: Vec<Decision>,
    /// The compaction before this request, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compaction: Option<CompactionReceipt>,
    /// What the request had to have word for word after a compaction, and whether it had it; `None` before the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// The decision by price before this request, where the policy decides by price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<PriceTerms>,
    /// What the answer used, and what was read back before this request, of content that compactions had removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regret: Vec<RegretReceipt>,
    /// Results that were offloaded before this request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offloaded: Vec<OffloadReceipt>,
    /// Tools that were sent.
    pub tools_active: u64,
    /// Tools that were deferred.
    pub tools_deferred: u64,
    /// Cache markers of the request.
    pub breakpoints: Vec<CacheBreakpoint>,
    /// Notes at the tail of the request; they are in no message and in no later request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tail: Vec<String>,
    /// The notes and documents were at the end of the system prompt, not behind the last message.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub system_tail: bool,
    /// Cache use as predicted from the request before this one (`output` is 0).
    pub predicted: Usage,
    /// What the request before left in the cache; `None` if that is not known, as for the first request of a session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheForecast>,
    /// Use as the provider reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<Usage>,
    /// Why the cache was not reused, as the provider says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<CacheDiagnosis>,
    /// Tokens of the prompt as the model read it last, where `reported` sums several passes of the provider's own tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_prompt: Option<u64>,
    /// The provider counted far less than the request has: a part was not read, or not counted. The figure measures no window.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub short_report: bool,
    /// Searches of the web that the provider ran for the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<WebSearch>,
    /// Pages that the answer cites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited: Vec<WebSource>,
    /// Why the model stopped.
    pub stop: String,
    /// Subsystems that failed, and their fallbacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<Degradation>,
}

/// How full the window was, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowFigures {
    /// The whole window.
    pub total: u64,
    /// Reserved for output.
    pub reserved_output: u64,
    /// Used, by component.
    pub used: Components,
    /// How reliable the figures are.
    pub source: FigureSource,
}

impl WindowFigures {
    /// Room for a request: the window minus the reserved output.
    #[must_use]
    pub fn effective_window(&self) -> u64 {
        self.total.saturating_sub(self.reserved_output)
    }

    /// Room left in the effective window; 0 when it is exceeded.
    #[must_use]
    pub fn free(&self) -> u64 {
        self.effective_window().saturating_sub(self.used.total())
    }

    /// The used part of the effective window in percent; above 100 when it is exceeded.
    #[must_use]
    pub fn used_percentage(&self) -> f64 {
        self.percentage(self.used.total())
    }

    /// A number of tokens in percent of the effective window. For a window without room: 100 for any, 0 for none.
    #[must_use]
    pub fn percentage(&self, tokens: u64) -> f64 {
        match (tokens, self.effective_window()) {
            (0, _) => 0.0,
            (_, 0) => 100.0,
            (tokens, window) => tokens as f64 * 100.0 / window as f64,
        }
    }
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The step that decided.
    pub step: String,
    /// What it decided.
    pub what: String,
    /// Why.
    pub why: String,
}

/// What a compaction did. Tokens are of the whole request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompactionReceipt {
    /// What triggered it.
    pub reason: EditReason,
    /// Tokens before.
    pub before_tokens: u64,
    /// Tokens after.
    pub after_tokens: u64,
    /// Messages before.
    pub before_messages: u64,
    /// Messages after.
    pub after_messages: u64,
    /// Strategies that changed something, in order.
    pub strategies: Vec<String>,
    /// Tokens after the first change, which are written to the prompt cache again.
    pub rewritten_tokens: u64,
    /// Requests until the saving pays for the rewriting, by the model's prices; `None` for never, or at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pays_back_after: Option<u64>,
    /// Who wrote its summaries, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Model use of its summaries. The log also records it on its own, like all use outside of messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<ModelUse>,
    /// Results and arguments that it trimmed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub trimmed: u64,
    /// Pins that it kept word for word.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pins: u64,
    /// Names that left the view with it: paths, files and identifiers, the most mentioned first, at most
    /// [`MOST_LOST`](Self::MOST_LOST).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// How many names left the view.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost_count: u64,
    /// Milliseconds that the session waited for it: the summary of a model, and the store.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub blocked_ms: u64,
}

impl Receipt {
    /// A receipt of a request with this view, before which nothing was decided. All else is empty.
    #[must_use]
    pub fn new(turn: u64, request: u64, upto: Seq, window: WindowFigures) -> Self {
        Self {
            turn,
            request,
            upto,
            epoch: 0,
            model: String::new(),
            window,
            pressure: String::new(),
            decisions: Vec::new(),
            compaction: None,
            certificate: None,
            price: None,
            regret: Vec::new(),
            offloaded: Vec::new(),
            tools_active: 0,
            tools_deferred: 0,
            breakpoints: Vec::new(),
            tail: Vec::new(),
            system_tail: false,
            predicted: Usage::default(),
            cache: None,
            reported: None,
            diagnosis: None,
            window_prompt: None,
            short_report: false,
            searches: Vec::new(),
            cited: Vec::new(),
            stop: String::new(),
            degraded: Vec::new(),
        }
    }
}

impl CompactionReceipt {
    /// Maximum number of names that it lists.
    pub const MOST_LOST: usize = 12;

    /// A receipt of these used tokens before and after it. All else is empty.
    #[must_use]
    pub fn new(reason: EditReason, before_tokens: u64, after_tokens: u64) -> Self {
        Self {
            reason,
            before_tokens,
            after_tokens,
            before_messages: 0,
            after_messages: 0,
            strategies: Vec::new(),
            rewritten_tokens: 0,
            pays_back_after: None,
            authors: Vec::new(),
            asked: Vec::new(),
            trimmed: 0,
            pins: 0,
            lost: Vec::new(),
            lost_count: 0,
            blocked_ms: 0,
        }
    }

    /// How long the session waited for it, to stand behind other words; empty below half a second.
    #[must_use]
    pub fn waited(&self) -> String {
        match self.blocked_ms {
            0..500 => String::new(),
            ms => format!("; the session waited {:.1} s", ms as f64 / 1_000.0),
        }
    }
}

/// An offloaded result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffloadReceipt {
    /// The reference of its bytes.
    pub stored: ResultRef,
    /// The tool.
    pub tool: String,
    /// Size of the result in bytes.
    pub bytes: u64,
    /// Size of its preview in bytes.
    pub shown: u64,
}

/// A subsystem failed and a fallback took over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Degradation {
    /// What failed, for example `result store`.
    pub subsystem: String,
    /// The fallback, for example `bounded inline result`.
    pub fallback: String,
    /// The error's text.
    pub cause: String,
}
