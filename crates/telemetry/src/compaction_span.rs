//! The span of a compaction: tokens before and after by component, the price and the cause.

use opentelemetry::KeyValue;
use opentelemetry::trace::SpanKind;
use serde_json::Value;
use throughline_conversation::{CompactionReceipt, Components, EditReason, PriceTerms, Usage};

use crate::names::CONVERSATION;
use crate::spans::{OpenSpan, Spans, tokens};

/// Outcomes that are no failures.
const HARMLESS: [&str; 4] = ["nothing_to_gain", "paused", "stopped", "outdated"];

const REASON: &str = "throughline.compaction.reason";
const OUTCOME: &str = "throughline.compaction.outcome";

/// A compaction that has not ended.
#[derive(Debug)]
pub(crate) struct OpenCompaction {
    span: OpenSpan,
    reason: String,
    /// Tokens before.
    before: u64,
}

impl OpenCompaction {
    /// Begins the span of a compaction.
    pub(crate) fn begin(
        spans: &Spans,
        turn: Option<&OpenSpan>,
        session: &str,
        reason: &EditReason,
        used: &Components,
    ) -> Self {
        let reason = word(reason);
        let attributes =
            vec![KeyValue::new(CONVERSATION, session.to_owned()), KeyValue::new(REASON, reason.clone())];
        let name = "throughline.compaction".to_owned();
        let mut span = spans.begin(name, SpanKind::Internal, turn, attributes);
        span.set_all([
            tokens("throughline.compaction.before.system_tokens", used.system),
            tokens("throughline.compaction.before.skills_tokens", used.skills),
            tokens("throughline.compaction.before.tools_tokens", used.tools),
            tokens("throughline.compaction.before.conversation_tokens", used.conversation),
            tokens("throughline.compaction.before.tokens", used.total()),
        ]);
        Self { span, reason, before: used.total() }
    }

    /// The parent of what the compaction asks for.
    pub(crate) fn span(&self) -> &OpenSpan {
        &self.span
    }

    /// The price that the decision was made by, in multiples of the price of one uncached token of input.
    pub(crate) fn price(&mut self, price: &PriceTerms) {
        self.span.set_all([
            KeyValue::new("throughline.compaction.price.verdict", word(&price.verdict)),
            KeyValue::new("throughline.compaction.price.cost", price.cost),
            KeyValue::new("throughline.compaction.price.summary", price.summary),
            KeyValue::new("throughline.compaction.price.regret", price.regret),
            KeyValue::new("throughline.compaction.price.saving", price.saving),
            KeyValue::new("throughline.compaction.price.paid", price.paid),
            KeyValue::new("throughline.compaction.price.cold_cache", price.cold),
        ]);
    }

    /// What it changed.
    pub(crate) fn receipt(&mut self, receipt: &CompactionReceipt) {
        let asked = receipt.asked.iter().fold(Usage::default(), |sum, asked| sum.plus(asked.usage));
        let strategies = receipt.strategies.iter().map(|name| name.clone().into()).collect();
        self.span.set_all([
            KeyValue::new(
                "throughline.compaction.strategies",
                opentelemetry::Value::Array(opentelemetry::Array::String(strategies)),
            ),
            tokens("throughline.compaction.before.messages", receipt.before_messages),
            tokens("throughline.compaction.after.messages", receipt.after_messages),
            tokens("throughline.compaction.rewritten_tokens", receipt.rewritten_tokens),
            tokens("throughline.compaction.summary.input_tokens", asked.prompt()),
            tokens("throughline.compaction.summary.output_tokens", asked.output),
        ]);
        if let Some(requests) = receipt.pays_back_after {
            self.span.set(tokens("throughline.compaction.pays_back_after", requests));
        }
    }

    /// Ends it; `error`: why nothing was changed.
    pub(crate) fn end(mut self, spans: &Spans, used: &Components, error: Option<&'static str>) {
        let outcome = KeyValue::new(OUTCOME, error.unwrap_or("compacted"));
        self.span.set(outcome.clone());
        self.span.set_all([
            tokens("throughline.compaction.after.system_tokens", used.system),
            tokens("throughline.compaction.after.skills_tokens", used.skills),
            tokens("throughline.compaction.after.tools_tokens", used.tools),
            tokens("throughline.compaction.after.conversation_tokens", used.conversation),
            tokens("throughline.compaction.after.tokens", used.total()),
        ]);
        let took = self.span.end(error.filter(|error| !HARMLESS.contains(error)));
        let removed = self.before.saturating_sub(used.total());
        spans.instruments.compaction(took, removed, &[KeyValue::new(REASON, self.reason), outcome]);
    }
}

/// The word that a value without fields has in records.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => "other".to_owned(),
    }
}
