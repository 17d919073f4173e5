//! The token meter: what a provider reported, and an estimate of only what came after it.

use throughline_conversation::{Components, FigureSource, Usage};

/// A request measured in tokens of the model that is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Used tokens by component; their sum is the total.
    pub used: Components,
    /// How sure the total is.
    pub source: FigureSource,
    /// A cautious upper bound of the total, for decisions where too little is worse than too much: the part that
    /// is estimated counts a tenth more, or a quarter more while the provider has reported nothing to learn from.
    pub upper: u64,
}

/// Turns a counter's raw figures into tokens of one model.
///
/// After an answer the provider's own figure for the request and the answer is the *anchor*: only what is added
/// behind it is estimated. The estimate is scaled by what the reports have taught about this model's tokenizer.
/// An anchor holds while requests only grow at the end; whoever changes the prefix drops it. The scale stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meter {
    anchor: Option<Anchor>,
    scale: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Anchor {
    /// What the provider reported.
    tokens: u64,
    /// The counter's figure for the same content.
    raw: u64,
}

/// Weight of a new sample: high enough to follow a conversation from prose into code, low enough that one odd
/// request does not move every threshold.
const RATE: f64 = 0.3;
/// Samples are held within these factors. A real tokenizer beyond them means a report about something else.
const FACTORS: (f64, f64) = (0.25, 4.0);
/// Shorter prompts teach nothing: a provider's fixed overhead weighs more than their text.
const LEARN_FROM: u64 = 200;
/// Tokens that a message may have beside its content.
const FRAME: u64 = 16;
/// Per cent on top of an estimate with a learned scale.
const MARGIN_LEARNED: u64 = 10;
/// Per cent on top of an estimate that nothing was ever compared with.
const MARGIN_UNKNOWN: u64 = 25;

impl Meter {
    /// A meter that knows nothing of its model: raw figures count as they are.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Measures a request of these raw figures.
    ///
    /// The total is the anchor and the scaled rest, or all of it scaled when there is no anchor or less is left
    /// than it stood for. Fixed parts are scaled one by one and the conversation takes the rest, so rounding
    /// and what the estimate was off by land there.
    #[must_use]
    pub fn measure(&self, raw: Components) -> Measured {
        let raw_total = raw.total();
        let anchor = self.anchor.filter(|anchor| raw_total >= anchor.raw);
        let known = anchor.map_or(0, |anchor| anchor.tokens);
        let added = raw_total.saturating_sub(anchor.map_or(0, |anchor| anchor.raw));
        let estimated = self.from_raw(added);
        let total = known.saturating_add(estimated);
        let source = match (anchor, added) {
            (Some(_), 0) => FigureSource::Exact,
            (Some(_), _) => FigureSource::Anchored,
            (None, _) => FigureSource::Estimated,
        };
        let percent = if self.scale.is_some() { MARGIN_LEARNED } else { MARGIN_UNKNOWN };
        let upper = total.saturating_add(margin(estimated, percent));
        Measured { used: self.split(raw, total), source, upper }
    }

    /// Learns from an answer. Call it after each one.
    ///
    /// `raw_prompt` is the raw total of the request as it was sent, `raw_after` that and the raw figure of what is
    /// kept of the answer; `reported` is the provider's report. A report without a prompt is no report: nothing
    /// changes. Of the output no more counts than what is kept can be: a model's hidden thinking is output that no
    /// later request has.
    pub fn anchor(&mut self, raw_prompt: u64, raw_after: u64, reported: &Usage) {
        let prompt = reported.prompt();
        if prompt == 0 {
            return;
        }
        if raw_prompt >= LEARN_FROM {
            let sample = (prompt as f64 / raw_prompt as f64).clamp(FACTORS.0, FACTORS.1);
            self.scale = Some(self.scale.map_or(sample, |old| old + RATE * (sample - old)));
        }
        let kept = self.from_raw(raw_after.saturating_sub(raw_prompt));
        let kept = kept.saturating_add(margin(kept, MARGIN_UNKNOWN)).saturating_add(FRAME);
        let tokens = prompt.saturating_add(reported.output.min(kept));
        self.anchor = Some(Anchor { tokens, raw: raw_after.max(raw_prompt) });
    }

    /// Forgets the anchor: something before the end has changed (a compaction, an undo, other tools). What was
    /// learned about the tokenizer stays.
    pub fn drop_anchor(&mut self) {
        self.anchor = None;
    }

    /// Whether a provider's figure is the base of the measurements.
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        self.anchor.is_some()
    }

    /// Tokens of the model per raw token; 1 while nothing was learned.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale.unwrap_or(1.0)
    }

    /// How many raw tokens make so many tokens, rounded down: for handing a target to those who count raw.
    #[must_use]
    pub fn to_raw(&self, tokens: u64) -> u64 {
        self.scale.map_or(tokens, |scale| (tokens as f64 / scale) as u64)
    }

    /// How many tokens so many raw tokens make, to the nearest.
    #[must_use]
    pub fn from_raw(&self, raw: u64) -> u64 {
        self.scale.map_or(raw, |scale| (raw as f64 * scale).round() as u64)
    }

    fn split(&self, raw: Components, total: u64) -> Components {
        let mut left = total;
        let mut take = |raw: u64| {
            let part = self.from_raw(raw).min(left);
            left -= part;
            part
        };
        let (system, skills, tools) = (take(raw.system), take(raw.skills), take(raw.tools));
        Components { system, skills, tools, conversation: left }
    }
}

/// What is added to an estimate for caution.
fn margin(estimated: u64, percent: u64) -> u64 {
    estimated.saturating_mul(percent).div_ceil(100)
}
