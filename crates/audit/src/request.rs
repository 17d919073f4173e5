//! The requests of a recording: their usage, as recorded or as estimated.

use serde::Serialize;
use throughline_conversation::{Message, Millis, TokenCounter, Usage};
use throughline_replay::{
    RecordedSession, RecordedStep, SUMMARY_TOKENS, UnshownAnswer, request_points, scaled,
};

use super::causes::{Causes, RequestUse};
use super::counted_answers::CountedAnswers;
use super::options::AuditOptions;
use super::price::ModelPrice;

/// A recorded count of output below this share of the answer's own text was logged while the answer streamed.
const STREAMED: f64 = 0.5;

/// One request of a recording.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditedRequest {
    /// The turn, from 1.
    pub turn: u64,
    /// The request within the turn, from 1.
    pub step: u64,
    /// The model, where it is named.
    pub model: Option<String>,
    /// When it was sent, in milliseconds since 1970.
    pub asked_at: Option<Millis>,
    /// Milliseconds since the request before; 0 where no times were recorded.
    pub idle_ms: u64,
    /// Tokens.
    pub usage: Usage,
    /// Whether the input is an estimate, because the recording has no usage.
    pub input_estimated: bool,
    /// Whether the output is an estimate: it is counted from the text of the answer.
    pub output_estimated: bool,
    /// Whether the price of the model is known.
    pub priced: bool,
    /// Whether it is counted here: the session has sent it, and no recording before has a copy of it.
    #[serde(skip)]
    pub counted: bool,
    /// Whether the agent had compacted since the request before.
    pub compacted: bool,
    /// Whether no model was asked for that.
    #[serde(skip)]
    pub unasked: bool,
    /// Dollars of the summaries since the request before, where the recording has their usage.
    #[serde(skip)]
    pub summaries: Option<f64>,
    /// Whether it was sent in a way whose price is not known.
    #[serde(skip)]
    pub other_price: bool,
    /// The cost by cause.
    pub causes: Causes,
    /// The price of a request with its prompt that is sent unchanged.
    #[serde(skip)]
    pub price: ModelPrice,
}

/// The requests of a session, oldest first. `factor` is the number of a provider's tokens per token of the counter; `counted`
/// says which of them cost something here.
pub(super) fn requests(
    session: &RecordedSession,
    options: &AuditOptions<'_>,
    factor: f64,
    counted: &[bool],
) -> Vec<AuditedRequest> {
    let points = request_points(session);
    let mut meter = Meter::of(session, options, factor);
    let mut found = Vec::with_capacity(points.len());
    for point in points {
        let Some(turn) = session.turns.get(point.turn) else { continue };
        let Some(step) = turn.steps.get(point.step) else { continue };
        if point.step == 0 {
            meter.said(&turn.user);
        }
        let model = step.request.model.clone().or_else(|| session.model.clone());
        let price = options.price(model.as_deref());
        let cold = price.rules.is_cold_after(point.idle_ms);
        let before = meter.before;
        let usage = meter.usage(step, cold);
        let price = price.of_prompt(usage.usage.prompt()).of_terms(step.request.terms);
        let compacted = step.request.compacted && before.is_some();
        let request =
            RequestUse { usage: usage.usage, hour_write: step.request.hour_write, before, compacted, cold };
        let counted = counted.get(found.len()).copied().unwrap_or(true);
        found.push(AuditedRequest {
            turn: point.turn as u64 + 1,
            step: point.step as u64 + 1,
            model,
            asked_at: step.asked_at,
            idle_ms: point.idle_ms,
            usage: usage.usage,
            input_estimated: usage.input_estimated,
            output_estimated: usage.output_estimated,
            priced: price.is_known(),
            counted,
            compacted,
            unasked: step.request.unasked,
            summaries: summaries(session, options, &step.request.unshown),
            other_price: step.request.terms.fast,
            causes: if counted { request.causes(&price) } else { Causes::default() },
            price,
        });
    }
    found
}

/// The requests whose answers are in no turn, in the order of the steps that they were before. Only those that are counted here.
pub(super) fn unshown_requests(
    session: &RecordedSession,
    options: &AuditOptions<'_>,
    shown: &[AuditedRequest],
    counted: &mut CountedAnswers,
) -> Vec<AuditedRequest> {
    let mut found = Vec::new();
    for (place, (step, request)) in session.steps().zip(shown).enumerate() {
        let before = place.checked_sub(1).and_then(|before| shown.get(before));
        for one in step.request.unshown.iter().filter(|one| counted.counts(session, one)) {
            let model = one.model.clone().or_else(|| session.model.clone());
            let price = price_of(session, options, one);
            let before = before.map(|before| before.usage.prompt());
            let (usage, hour_write) = (one.usage, one.hour_write);
            let used = RequestUse { usage, hour_write, before, compacted: false, cold: false };
            let causes = if one.is_summary { used.summary(&price) } else { used.causes(&price) };
            found.push(AuditedRequest {
                model,
                asked_at: one.answered_at,
                idle_ms: 0,
                usage,
                input_estimated: false,
                output_estimated: false,
                priced: price.is_known(),
                counted: true,
                compacted: false,
                unasked: false,
                summaries: None,
                other_price: one.terms.fast,
                causes,
                price,
                ..request.clone()
            });
        }
    }
    found
}

fn price_of(session: &RecordedSession, options: &AuditOptions<'_>, one: &UnshownAnswer) -> ModelPrice {
    let model = one.model.as_deref().or(session.model.as_deref());
    options.price(model).of_prompt(one.usage.prompt()).of_terms(one.terms)
}

/// Dollars of the summaries among answers; `None`: no answer is one.
fn summaries(
    session: &RecordedSession,
    options: &AuditOptions<'_>,
    unshown: &[UnshownAnswer],
) -> Option<f64> {
    let summaries = unshown.iter().filter(|one| one.is_summary);
    summaries
        .map(|one| price_of(session, options, one).dollars(one.usage, one.hour_write))
        .reduce(|sum, dollars| sum + dollars)
}

/// Usage, and what of it is an estimate.
struct MeteredUse {
    usage: Usage,
    input_estimated: bool,
    output_estimated: bool,
}

/// Estimates what the recording lacks from what it has.
struct Meter<'a> {
    counter: &'a dyn TokenCounter,
    factor: f64,
    /// System prompt and tool schemas.
    front: u64,
    /// The prompt of the request before.
    before: Option<u64>,
    /// Tokens of the messages since, by the counter.
    added: u64,
}

impl<'a> Meter<'a> {
    fn of(session: &RecordedSession, options: &AuditOptions<'a>, factor: f64) -> Self {
        let counter = options.counter;
        let system = session.system.as_deref().map_or(0, |system| counter.text(system));
        Self { counter, factor, front: scaled(options.overhead.max(system), factor), before: None, added: 0 }
    }

    fn said(&mut self, message: &Message) {
        self.added = self.added.saturating_add(self.counter.message(message));
    }

    fn usage(&mut self, step: &RecordedStep, cold: bool) -> MeteredUse {
        let counted = scaled(self.counter.message(&step.assistant), self.factor);
        let (usage, input_estimated) = match step.usage {
            Some(usage) => (usage, false),
            None => {
                let output = step.request.output.unwrap_or(counted);
                (Usage { output, ..self.estimated(step, cold) }, true)
            }
        };
        let streamed = (usage.output as f64) < STREAMED * counted as f64;
        self.before = Some(usage.prompt());
        self.added = 0;
        self.said(&step.assistant);
        if !step.results.is_empty() {
            self.said(&Message::results(step.results.iter().cloned()));
        }
        MeteredUse {
            usage: Usage { output: if streamed { counted } else { usage.output }, ..usage },
            input_estimated,
            output_estimated: streamed || (input_estimated && step.request.output.is_none()),
        }
    }

    /// As a provider with a cache would report it: the prompt before is read, the rest is written.
    fn estimated(&self, step: &RecordedStep, cold: bool) -> Usage {
        let added = scaled(self.added, self.factor);
        let start = match self.before {
            Some(before) if !step.request.compacted => before,
            Some(_) => self.front.saturating_add(scaled(SUMMARY_TOKENS, self.factor)),
            None => self.front,
        };
        let prompt = start.saturating_add(added);
        let read = match self.before {
            None => 0,
            Some(_) if cold => 0,
            Some(_) if step.request.compacted => self.front.min(prompt),
            Some(before) => before.min(prompt),
        };
        Usage { input: 0, cache_read: read, cache_write: prompt - read, output: 0, searches: 0 }
    }
}
