//! The token meter: the provider's last report, plus an estimate of what was added since.

use throughline_conversation::{Components, FigureSource, Usage};

/// Maximum number of views of a log that are compared with the session's own to find a report that fits it.
pub const COMPARED_VIEWS: usize = 4;

/// A request measured in the model's own tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasuredTokens {
    /// Used tokens by component; their sum is the total.
    pub used: Components,
    /// How reliable the total is.
    pub source: FigureSource,
    /// A cautious upper bound of the total, for decisions where too low is worse than too high: the estimated part
    /// counts 10 % more, or 25 % more until a provider's report has been learnt from.
    pub upper: u64,
}

/// Converts a counter's raw figures to tokens of one model.
///
/// After an answer, the provider's own figure for request and answer is the *anchor*: only what is added after it
/// is estimated. The estimate is scaled by a factor learnt from the reports about this model's tokenizer. An
/// anchor is valid while requests only grow at the end; a caller that changes the prefix must drop it. The scale
/// stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meter {
    anchor: Option<Anchor>,
    scale: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Anchor {
    /// The provider's figure.
    tokens: u64,
    /// The counter's figure for the same content.
    raw: u64,
}

/// Weight of a new sample: high enough to follow a conversation from prose into code, low enough that one odd
/// request does not move every threshold.
const RATE: f64 = 0.3;
/// Tokens of a prompt per raw token. A report outside of these factors is not about this prompt: the sum of several
/// passes of a provider's own tools, or only the part that its cache did not hold.
const FACTORS: (f64, f64) = (0.25, 4.0);
/// Shorter prompts are not learnt from: a provider's fixed overhead weighs more than their text.
const LEARN_FROM: u64 = 200;
/// Tokens that a message may have in addition to its content.
const FRAME: u64 = 16;
/// Percent added to an estimate with a learnt scale.
const MARGIN_LEARNED: u64 = 10;
/// Percent added to an estimate before the first report.
const MARGIN_UNKNOWN: u64 = 25;

impl Meter {
    /// Creates a meter without anchor and scale: raw figures count unchanged.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Measures a request from its raw figures.
    ///
    /// The total is the anchor plus the scaled rest, or everything scaled when there is no anchor or the request is
    /// smaller than it. Fixed parts are scaled one by one and the conversation gets the rest, so it absorbs
    /// rounding and the error of the estimate.
    #[must_use]
    pub fn measure(&self, raw: Components) -> MeasuredTokens {
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
        MeasuredTokens { used: self.split(raw, total), source, upper }
    }

    /// Learns from the report of an answer. Call it after each answer.
    ///
    /// `raw_prompt` is the raw total of the request as sent; `raw_after` adds the raw figure of the part of the
    /// answer that stays in the view; `reported` is the provider's usage. A usage without prompt tokens is ignored, and
    /// so is one that cannot be about this prompt: the meter stays unchanged.
    /// Output counts only up to the size of that part: hidden thinking is output that no later request contains.
    pub fn anchor(&mut self, raw_prompt: u64, raw_after: u64, reported: &Usage) {
        let prompt = reported.prompt();
        if prompt == 0 || !is_plausible(raw_prompt, prompt) {
            return;
        }
        if raw_prompt >= LEARN_FROM {
            let sample = prompt as f64 / raw_prompt as f64;
            self.scale = Some(self.scale.map_or(sample, |old| old + RATE * (sample - old)));
        }
        let kept = self.from_raw(raw_after.saturating_sub(raw_prompt));
        let kept = kept.saturating_add(margin(kept, MARGIN_UNKNOWN)).saturating_add(FRAME);
        let tokens = prompt.saturating_add(reported.output.min(kept));
        self.anchor = Some(Anchor { tokens, raw: raw_after.max(raw_prompt) });
    }

    /// Learns the scale of a request that was counted and not answered: `raw` tokens by the counter, `reported` by the provider. It
    /// replaces the scale so far, and there is no anchor after it. A count that cannot be about this request is ignored.
    pub fn calibrate(&mut self, raw: u64, reported: u64) {
        if raw >= LEARN_FROM && is_plausible(raw, reported) {
            self.scale = Some(reported as f64 / raw as f64);
            self.anchor = None;
        }
    }

    /// Takes content off the anchor that the reported request had and later requests have not, such as notes at its end:
    /// `raw` tokens by the counter. Without this the next, shorter request would seem to have lost a part of its prefix.
    pub fn anchor_without(&mut self, raw: u64) {
        let tokens = self.from_raw(raw);
        if let Some(anchor) = &mut self.anchor {
            anchor.tokens = anchor.tokens.saturating_sub(tokens);
            anchor.raw = anchor.raw.saturating_sub(raw);
        }
    }

    /// Drops the anchor, because something before the end has changed (a compaction, an undo, other tools). The
    /// learnt scale stays.
    pub fn drop_anchor(&mut self) {
        self.anchor = None;
    }

    /// Returns true if a report has been learnt from.
    #[must_use]
    pub fn has_learnt(&self) -> bool {
        self.scale.is_some()
    }

    /// Tokens of the model per raw token; 1 until a report has been learnt from.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale.unwrap_or(1.0)
    }

    /// Converts tokens to raw tokens, rounded down: for targets of code that counts raw.
    #[must_use]
    pub fn to_raw(&self, tokens: u64) -> u64 {
        self.scale.map_or(tokens, |scale| (tokens as f64 / scale) as u64)
    }

    /// Converts raw tokens to tokens, rounded to the nearest.
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

/// Returns true if a report cannot be about a request of `raw` tokens by the counter to a model with this window: its prompt is
/// larger than the window and than any that the meter learns from, or its output is larger than the window. Then nothing may be
/// priced by it. A smaller report than the request may be of what was charged, and is not judged here.
#[must_use]
pub fn is_impossible(raw: u64, window: u64, reported: &Usage) -> bool {
    let prompt = reported.prompt();
    prompt > window && prompt as f64 > most_plausible(raw) || reported.output > window
}

/// Returns true if a prompt of `raw` tokens may have been reported as one of `reported` tokens. A short prompt may be small
/// next to a provider's overhead, and is never large.
fn is_plausible(raw: u64, reported: u64) -> bool {
    let least = if raw >= LEARN_FROM { raw as f64 * FACTORS.0 } else { 0.0 };
    (least..=most_plausible(raw)).contains(&(reported as f64))
}

/// Maximum tokens that a report of a prompt of `raw` tokens may have.
fn most_plausible(raw: u64) -> f64 {
    raw.max(LEARN_FROM) as f64 * FACTORS.1
}

/// The safety margin of an estimate.
fn margin(estimated: u64, percent: u64) -> u64 {
    estimated.saturating_mul(percent).div_ceil(100)
}
