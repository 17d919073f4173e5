//! The context window: its limits, and the measurement of requests against them.

mod anchoring;
mod fullness;
mod guess;

use std::collections::BTreeMap;

use throughline_budget::{
    ContextBudget, CrossingGate, EarlierReport, InvalidThresholds, Limits, Meter, Pressure, SentPrompt,
    ShortReport, output_share, short_report,
};
use throughline_completion::ModelInfo;
use throughline_conversation::{Components, EntryKind, Origin, Receipt, Usage, View};

use crate::error::TurnError;
use crate::session::Session;
use crate::settings::Settings;
use guess::GuessState;

pub(crate) use anchoring::view_of;
pub(crate) use guess::Guess;

/// The window of the current model, and the meter that measures requests in its tokens.
#[derive(Debug)]
pub(crate) struct Window {
    total: u64,
    /// Tokens reserved for output.
    reserved: u64,
    limits: Limits,
    meter: Meter,
    /// Meters of models that answered earlier in this run, by origin.
    meters: BTreeMap<String, Meter>,
    /// Windows learned from overflow errors, by origin.
    learnt: BTreeMap<String, u64>,
    gate: CrossingGate,
    /// The notice threshold was crossed upwards, and no request has had a note about it yet.
    notice_due: bool,
    /// Percentage in the note about the fullness of the window, while every request has one.
    noted: Option<u64>,
    /// Raw tokens of the notes at the end of the request that was measured last.
    tail_tokens: u64,
    /// Epoch of the view that the provider counted last.
    counted_epoch: u64,
    guess: GuessState,
    /// The newest report of the model, with the epoch of its view.
    last_report: Option<(u64, EarlierReport)>,
}

/// A measured request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestSize {
    /// Calibrated tokens by component.
    pub(crate) budget: ContextBudget,
    /// Upper bound of the calibrated tokens, with the notes at the end.
    pub(crate) upper: u64,
    /// The counter's tokens of everything in the request, before calibration.
    pub(crate) raw: u64,
}

impl RequestSize {
    pub(crate) fn used(&self) -> u64 {
        self.budget.used_tokens()
    }
}

impl Window {
    pub(crate) fn new(total: u64, reserved: u64, limits: Limits, learnt: BTreeMap<String, u64>) -> Self {
        Self {
            total,
            reserved,
            limits,
            meter: Meter::new(),
            meters: BTreeMap::new(),
            learnt,
            gate: CrossingGate::default(),
            notice_due: false,
            noted: None,
            tail_tokens: 0,
            counted_epoch: 0,
            guess: GuessState::Allowed,
            last_report: None,
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Tokens reserved for output.
    pub(crate) fn reserved(&self) -> u64 {
        self.reserved
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The meter of a model that answered earlier in this run, or a new one.
    pub(crate) fn meter_of(&self, origin: &Origin) -> Meter {
        self.meters.get(&origin.to_string()).cloned().unwrap_or_default()
    }

    /// Windows learned from overflow errors, by origin.
    pub(crate) fn learnt(&self) -> &BTreeMap<String, u64> {
        &self.learnt
    }

    /// Raw tokens of the notes at the end of the request that was measured last.
    pub(crate) fn tail_tokens(&self) -> u64 {
        self.tail_tokens
    }

    /// The view was rewritten: the provider's last report says nothing about it.
    pub(crate) fn drop_anchor(&mut self) {
        self.meter.drop_anchor();
    }

    /// Uses other limits. Returns those before.
    pub(crate) fn replace_limits(&mut self, total: u64, limits: Limits) -> (u64, Limits) {
        (std::mem::replace(&mut self.total, total), std::mem::replace(&mut self.limits, limits))
    }

    /// Measures by the meter of the next model.
    pub(crate) fn adopt_model(&mut self, from: &Origin, to: &Origin, reserved: u64) {
        let mut old = std::mem::replace(&mut self.meter, Meter::new());
        old.drop_anchor();
        if let Some(known) = self.meters.remove(&to.to_string()) {
            self.meter = known;
        } else if from.provider == to.provider {
            // Models of one provider count alike, and the first report corrects it.
            self.meter = old.clone();
        }
        self.meters.insert(from.to_string(), old);
        self.reserved = reserved;
        self.last_report = None;
    }

    /// Notes the epoch of the view that the provider counts. Returns false if it is the one counted last.
    pub(crate) fn note_counted(&mut self, epoch: u64) -> bool {
        std::mem::replace(&mut self.counted_epoch, epoch) != epoch
    }

    /// Measures a request with its notes. Requests that are measured without their notes are expected to have the same.
    pub(crate) fn measure_tail(&mut self, raw: Components, tail_tokens: u64) -> RequestSize {
        self.tail_tokens = tail_tokens;
        self.measure(raw, tail_tokens)
    }

    /// Measures by the count of the provider, which named the `tokens` of a request of `raw` tokens.
    pub(crate) fn calibrate(&mut self, raw: u64, tokens: u64) {
        self.meter.calibrate(raw, tokens);
    }

    /// Learns from a rejected request of `raw` tokens: it contained more than was measured, and filled the window at least.
    pub(crate) fn learn_overflow(&mut self, raw: u64) {
        let usage = Usage { input: self.limits.effective_window, ..Usage::default() };
        self.meter.anchor(raw, raw, &usage);
        self.meter.drop_anchor();
    }

    /// Measures a request of these components with this many raw tokens of notes at its end.
    pub(crate) fn measure(&self, raw: Components, tail_tokens: u64) -> RequestSize {
        let measured = self.meter.measure(raw);
        let mut budget = ContextBudget::new(self.total, self.reserved);
        budget.measure_usage(&measured);
        RequestSize {
            budget,
            upper: measured.upper.saturating_add(self.meter.from_raw(tail_tokens)),
            raw: raw.total().saturating_add(tail_tokens),
        }
    }

    pub(crate) fn pressure(&self, size: &RequestSize) -> Pressure {
        self.limits.pressure(size.used())
    }

    /// Compares the report of a request of `raw` tokens by the counter with what it contains, and keeps it for the next one.
    /// Returns why the meter must not learn from it.
    pub(crate) fn doubt(
        &mut self,
        raw: u64,
        epoch: u64,
        reported: u64,
        sent: impl FnOnce() -> SentPrompt,
    ) -> Option<ShortReport> {
        let newest = EarlierReport { tokens: raw, reported };
        let before = self.last_report.replace((epoch, newest)).filter(|(then, _)| *then == epoch);
        short_report(raw, self.meter.scale(), reported, before.map(|(_, report)| report), sent)
    }

    /// Anchors the meter on the provider's report of a request that showed the first entries of this view.
    pub(crate) fn anchor_on_view(&mut self, session: &Session, view: &View, fixed: u64, receipt: &Receipt) {
        let Some(reported) = receipt.reported.as_ref().filter(|_| !receipt.short_report) else { return };
        let entries = view.entries();
        let shown = entries.iter().take_while(|entry| entry.span.last <= receipt.upto);
        let (count, sent) = shown
            .fold((0, 0), |(count, sum): (usize, u64), entry| (count + 1, sum.saturating_add(entry.tokens)));
        let answer = entries.get(count).filter(|entry| entry.kind == EntryKind::Assistant);
        let tail = session.tokens_of(&receipt.tail);
        let raw = fixed.saturating_add(sent).saturating_add(tail);
        let answered = answer.map_or(0, |entry| entry.tokens);
        self.anchor(raw, answered, tail, &reported.with_prompt(receipt.window_prompt));
    }

    /// Anchors the meter on a report of a request of `raw` tokens by the counter, `tail` of them for notes that only this
    /// request has. `answered` is the counter's figure of what is stored of the answer.
    pub(crate) fn anchor(&mut self, raw: u64, answered: u64, tail: u64, reported: &Usage) {
        self.meter.anchor(raw, raw.saturating_add(answered), reported);
        self.meter.anchor_without(tail);
    }

    /// Uses a smaller window for the rest of the session, with at most its share reserved for output.
    pub(crate) fn learn(
        &mut self,
        total: u64,
        info: &ModelInfo,
        settings: &Settings,
    ) -> Result<(), InvalidThresholds> {
        (self.reserved, self.limits) = learnt_limits(total, self.reserved, settings)?;
        self.total = total;
        self.learnt.insert(info.origin().to_string(), total);
        Ok(())
    }

    /// Reserves fewer tokens for output.
    pub(crate) fn reserve(&mut self, reserved: u64, settings: &Settings) -> Result<(), InvalidThresholds> {
        self.limits = settings.thresholds.within(self.total, reserved).limits(self.total, reserved)?;
        self.reserved = reserved;
        Ok(())
    }

    /// The largest conversation, in raw tokens, with which a request stays below the block level.
    pub(crate) fn largest_conversation(&self, raw: Components) -> u64 {
        let mut unanchored = self.meter.clone();
        unanchored.drop_anchor();
        let level = block_level(&self.limits);
        let tail = unanchored.from_raw(self.tail_tokens);
        let fits = |conversation: u64| {
            let raw = Components { conversation, ..raw };
            unanchored.measure(raw).upper.saturating_add(tail) < level
        };
        // With the anchor the same conversation may measure larger, and the request is checked against that figure.
        let upper = self.measure(raw, self.tail_tokens).upper;
        let over = upper.saturating_add(1).saturating_sub(level);
        let over = (over as f64 * raw.total() as f64 / upper.max(1) as f64).ceil() as u64;
        let (mut low, mut high) = (0_u64, raw.conversation.saturating_sub(over));
        while low < high {
            let middle = u64::midpoint(low + 1, high);
            if fits(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }

    /// The error for content that may not be cut and is larger than the window. `fixed` and `smallest` are in raw tokens. It has the
    /// cautious figures that requests are checked by.
    pub(crate) fn does_not_fit(&self, fixed: u64, smallest: u64, what: String) -> TurnError {
        let mut unanchored = self.meter.clone();
        unanchored.drop_anchor();
        let upper =
            |conversation| unanchored.measure(Components { conversation, ..Components::default() }).upper;
        let notes = unanchored.from_raw(self.tail_tokens);
        TurnError::DoesNotFit {
            window: self.total,
            reserved: self.reserved,
            fixed: upper(fixed),
            smallest: upper(smallest).saturating_add(notes),
            below: block_level(&self.limits),
            what,
        }
    }
}

/// The window of a model, the tokens reserved for output and the thresholds. A window that an overflow error taught takes
/// precedence if it is smaller.
pub(crate) fn window_of(
    info: &ModelInfo,
    settings: &Settings,
    learnt: Option<u64>,
) -> Result<(u64, u64, Limits), InvalidThresholds> {
    let reserved = settings.max_output_tokens;
    let own = settings.window.map_or(info.window, |own| own.min(info.window));
    if let Some(learnt) = learnt.filter(|learnt| *learnt < own)
        && let Ok((reserved, limits)) = learnt_limits(learnt, reserved, settings)
    {
        return Ok((learnt, reserved, limits));
    }
    Ok((own, reserved, settings.thresholds.limits(own, reserved)?))
}

/// The tokens reserved for output and the thresholds in a window that was learnt.
fn learnt_limits(total: u64, reserved: u64, settings: &Settings) -> Result<(u64, Limits), InvalidThresholds> {
    let reserved = reserved.min(output_share(total));
    Ok((reserved, settings.thresholds.within(total, reserved).limits(total, reserved)?))
}

/// Tokens that no request may reach.
pub(crate) fn block_level(limits: &Limits) -> u64 {
    limits.block.unwrap_or(limits.effective_window.saturating_add(1))
}
