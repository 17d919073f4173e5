//! Splits each request's cost over what was in it.

use super::front::FrontTokens;
use super::items::{AuditedItem, ItemKind};
use super::request::AuditedRequest;

/// A step can grow the prompt by more than its messages: the agent adds reminders that it does not log. Messages take at
/// most this multiple of what they count to, and the rest is of unlogged text.
const MAX_FACTOR: f64 = 2.0;

/// The name of what the agent sent and did not log.
const UNLOGGED: &str = "text that the log does not show";

/// What is in view, in the order of the prompt, and every item so far.
#[derive(Debug, Default)]
pub(super) struct SharedCosts {
    pub(super) items: Vec<AuditedItem>,
    /// Places in `items` and tokens, front to back.
    shown: Vec<ShownItem>,
    requests: u64,
    /// Tokens of the smallest prompt; `None`: no prompt was recorded.
    smallest: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct ShownItem {
    place: usize,
    tokens: f64,
}

impl SharedCosts {
    /// Of a session whose smallest recorded prompt has this many tokens.
    pub(super) fn of(smallest: Option<u64>) -> Self {
        Self { smallest, ..Self::default() }
    }

    /// Adds the items that came since the request before (`counted` is what the counter says, scaled), and shares the
    /// input of a request.
    pub(super) fn request(&mut self, request: &AuditedRequest, new: Vec<AuditedItem>) {
        self.requests += 1;
        let prompt = request.usage.prompt() as f64;
        if request.compacted {
            self.compact(request, prompt, &new);
        }
        let counted: f64 = new.iter().map(|item| item.tokens).sum();
        let have: f64 = self.shown.iter().map(|shown| shown.tokens).sum();
        let (factor, unlogged) = growth(prompt - have, counted, self.shown.is_empty());
        if self.shown.is_empty() {
            self.begin(request, unlogged);
        }
        let first = self.requests == 1;
        for mut item in new {
            item.tokens *= factor;
            self.show(item);
        }
        if unlogged > 0.0 && !first {
            self.show(AuditedItem::new(ItemKind::Unlogged, UNLOGGED, request, unlogged));
        }
        self.fit(prompt);
        self.charge(request);
    }

    /// Adds what is in front of the first message.
    fn begin(&mut self, request: &AuditedRequest, before: f64) {
        let smallest = self.smallest.filter(|_| !request.input_estimated);
        let found = FrontTokens::of(before, smallest.map(|tokens| tokens as f64));
        self.show(AuditedItem::new(ItemKind::Front, "system prompt and tool schemas", request, found.front));
        if found.rest > 0.0 {
            let (kind, name) = match found.is_conversation() {
                true => (ItemKind::Earlier, "earlier conversation that the file does not have"),
                false => (ItemKind::Unlogged, UNLOGGED),
            };
            self.show(AuditedItem::new(kind, name, request, found.rest));
        }
    }

    /// Adds an item that was written by the model and will be in the next request.
    fn show(&mut self, item: AuditedItem) {
        self.shown.push(ShownItem { place: self.items.len(), tokens: item.tokens });
        self.items.push(item);
    }

    /// Takes out of view what a compaction took: all but the front. What the prompt has more is the summary.
    fn compact(&mut self, request: &AuditedRequest, prompt: f64, new: &[AuditedItem]) {
        self.shown.truncate(1);
        let front: f64 = self.shown.iter().map(|shown| shown.tokens).sum();
        let counted: f64 = new.iter().map(|item| item.tokens).sum();
        let summary = (prompt - front - counted).max(0.0);
        self.show(AuditedItem::new(
            ItemKind::Summary,
            "summary of a compaction, with what it left",
            request,
            summary,
        ));
    }

    /// Brings the tokens of what is shown to the size of the prompt: a prompt that shrank lost a little of everything.
    fn fit(&mut self, prompt: f64) {
        let have: f64 = self.shown.iter().map(|shown| shown.tokens).sum();
        if have <= 0.0 {
            return;
        }
        for shown in &mut self.shown {
            shown.tokens *= prompt / have;
        }
    }

    /// What was read from the cache is at the front, and the rest follows it.
    fn charge(&mut self, request: &AuditedRequest) {
        let usage = request.usage;
        let read = usage.cache_read as f64;
        let rest = (usage.prompt() - usage.cache_read) as f64;
        let written = request.causes.input_dollars() - request.causes.cache_reads.dollars;
        let read_price = if read > 0.0 { request.causes.cache_reads.dollars / read } else { 0.0 };
        let written_price = if rest > 0.0 { written / rest } else { 0.0 };
        let mut start = 0.0_f64;
        for shown in &self.shown {
            let end = start + shown.tokens;
            let cached = (end.min(read) - start.min(read)).max(0.0);
            let dollars = cached * read_price + (shown.tokens - cached) * written_price;
            start = end;
            let Some(item) = self.items.get_mut(shown.place) else { continue };
            if item.requests == 0 {
                item.entered += dollars;
                item.tokens = shown.tokens;
            } else {
                item.downstream += dollars;
            }
            item.requests += 1;
            item.is_own |= request.counted;
        }
    }

    /// Returns true if an item is still in view.
    pub(super) fn shows(&self, place: usize) -> bool {
        self.shown.iter().any(|shown| shown.place == place)
    }
}

/// The factor from counted tokens of new items to those that a prompt grew by, and the tokens of what is not logged.
fn growth(grown: f64, counted: f64, first: bool) -> (f64, f64) {
    if first {
        return (1.0, (grown - counted).max(0.0));
    }
    if grown <= 0.0 || counted <= 0.0 {
        return (1.0, grown.max(0.0) * f64::from(u8::from(counted <= 0.0)));
    }
    let factor = (grown / counted).min(MAX_FACTOR);
    (factor, (grown - counted * factor).max(0.0))
}
