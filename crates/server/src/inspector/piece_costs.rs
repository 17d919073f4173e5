//! What the pieces of a request have cost: of each request that sent a piece, its share of the input.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_completion::Price;
use throughline_conversation::{
    Receipt, Record, RecordBody, Seq, Span, TokenCounter, Usage, View, ViewError, project,
};
use throughline_policies::Estimator;
use throughline_providers::models::ModelTable;

use super::pieces::RequestPiece;
use super::prices::Prices;

/// What a piece has cost. Dollars are shares of what the provider reported, in proportion to estimated tokens; a request
/// without a report adds nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PieceCost {
    /// The first request that sent it.
    pub(crate) first: u64,
    /// The last request that sent it.
    pub(crate) last: u64,
    /// No later request of the session sends it. `false`: the newest one still does.
    pub(crate) has_left: bool,
    /// Dollars up to and with the request that is asked for; `None`: a price is not known.
    pub(crate) dollars_so_far: Option<f64>,
    /// Dollars of all requests that sent it; `None`: a price is not known.
    pub(crate) dollars: Option<f64>,
}

/// The costs of the pieces of request `number`, in their order. A piece that was made for this request alone has its share of it.
pub(super) fn piece_costs(
    records: &[Record],
    number: u64,
    pieces: &[RequestPiece],
    table: &ModelTable,
) -> Vec<PieceCost> {
    let counter = Estimator::Script.counter();
    let places = pieces.iter().enumerate().map(|(place, piece)| (PieceKey::of(piece), place));
    let mut sums = Sums {
        number,
        costs: vec![
            PieceCost { dollars_so_far: Some(0.0), dollars: Some(0.0), ..PieceCost::default() };
            pieces.len()
        ],
        places: places.filter_map(|(key, place)| Some((key?, place))).collect(),
    };
    let own: Vec<(Option<usize>, u64)> =
        pieces.iter().enumerate().map(|(place, piece)| (Some(place), piece.tokens)).collect();
    let mut walk = Walk::new(records, counter.as_ref());
    let (mut newest, mut prices) = (0, Prices::new(table));
    for record in records {
        prices.take(&record.body);
        match &record.body {
            RecordBody::Tools(_) | RecordBody::Prompt(_) => walk.take_front(record),
            RecordBody::Receipt(receipt) => {
                newest = receipt.request;
                let price = prices.of(&receipt.model);
                if receipt.request == number {
                    sums.add(receipt, price, &own);
                } else if walk.show(receipt.upto).is_ok() {
                    let sent: Vec<_> =
                        walk.sent().map(|(key, tokens)| (sums.places.get(&key).copied(), tokens)).collect();
                    sums.add(receipt, price, &sent);
                }
            }
            _ => {}
        }
    }
    for cost in &mut sums.costs {
        cost.has_left = cost.last < newest;
    }
    sums.costs
}

/// A piece that requests have sent.
#[derive(Debug)]
pub(super) struct SentPiece {
    /// What it is, as of a piece of a request.
    pub(super) kind: &'static str,
    /// Its first record; `None`: it is a tool or a section of the system prompt.
    pub(super) record: Option<Seq>,
    pub(super) tokens: u64,
    pub(super) cost: PieceCost,
}

/// All pieces that requests of a log have sent, each once, in the order in which they were sent first.
pub(super) fn all_pieces(records: &[Record], table: &ModelTable) -> Vec<SentPiece> {
    let counter = Estimator::Script.counter();
    let mut sums = Sums { number: u64::MAX, costs: Vec::new(), places: HashMap::new() };
    let (mut walk, mut prices) = (Walk::new(records, counter.as_ref()), Prices::new(table));
    let mut known = Vec::new();
    for record in records {
        prices.take(&record.body);
        match &record.body {
            RecordBody::Tools(_) | RecordBody::Prompt(_) => walk.take_front(record),
            RecordBody::Receipt(receipt) if walk.show(receipt.upto).is_ok() => {
                let mut sent = Vec::new();
                for (key, tokens, kind) in walk.sent_kinds() {
                    let next = sums.places.len();
                    let place = *sums.places.entry(key).or_insert_with_key(|key| {
                        known.push((kind, key.record(), tokens));
                        next
                    });
                    sent.push((Some(place), tokens));
                }
                let free =
                    PieceCost { dollars_so_far: Some(0.0), dollars: Some(0.0), ..PieceCost::default() };
                sums.costs.resize(sums.places.len(), free);
                sums.add(receipt, prices.of(&receipt.model), &sent);
            }
            _ => {}
        }
    }
    let pieces = known.into_iter().zip(sums.costs);
    pieces.map(|((kind, record, tokens), cost)| SentPiece { kind, record, tokens, cost }).collect()
}

/// What makes a piece the same in two requests: its place in the log and its size.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum PieceKey {
    Front(&'static str, String, u64),
    Entry(Span, u64),
}

impl PieceKey {
    fn of(piece: &RequestPiece) -> Option<Self> {
        match (piece.kind, piece.source.records) {
            (kind @ ("tool" | "system"), _) => Some(Self::Front(kind, piece.name.clone(), piece.tokens)),
            (_, Some(span)) => Some(Self::Entry(span, piece.tokens)),
            (_, None) => None,
        }
    }

    /// The first record of an entry.
    fn record(&self) -> Option<Seq> {
        match self {
            Self::Front(..) => None,
            Self::Entry(span, _) => Some(span.first),
        }
    }
}

/// The costs so far.
struct Sums {
    number: u64,
    costs: Vec<PieceCost>,
    places: HashMap<PieceKey, usize>,
}

impl Sums {
    /// Adds the shares of a request that sent these pieces, each with its place here, if it has one, and its tokens.
    fn add(&mut self, receipt: &Receipt, price: Price, sent: &[(Option<usize>, u64)]) {
        let used = receipt.reported.unwrap_or_default();
        let price = price.of_prompt(used.prompt());
        let scale = used.prompt() as f64 / sent.iter().map(|(_, tokens)| tokens).sum::<u64>().max(1) as f64;
        let mut before = 0;
        for (place, tokens) in sent {
            let (from, to) = (before as f64 * scale, (before + tokens) as f64 * scale);
            before += tokens;
            let Some(cost) = place.and_then(|place| self.costs.get_mut(place)) else { continue };
            let dollars = price.dollars(share(used, from.round() as u64, to.round() as u64));
            let sum = |sum: Option<f64>| Some(sum? + dollars?);
            if cost.first == 0 {
                cost.first = receipt.request;
            }
            cost.last = receipt.request;
            cost.dollars = sum(cost.dollars);
            if receipt.request <= self.number {
                cost.dollars_so_far = sum(cost.dollars_so_far);
            }
        }
    }
}

/// The part of a prompt between two places. What was read from the cache is its front, and what was written follows.
fn share(used: Usage, from: u64, to: u64) -> Usage {
    let part = |start: u64, length: u64| to.min(start + length).saturating_sub(from.max(start));
    let (read, written) = (used.cache_read, used.cache_write);
    Usage {
        cache_read: part(0, read),
        cache_write: part(read, written),
        input: part(read + written, used.input),
        output: 0,
        searches: 0,
    }
}

/// What each request sent, from the first one on.
struct Walk<'r> {
    records: &'r [Record],
    counter: &'r dyn TokenCounter,
    /// Records that the view has.
    done: usize,
    view: View,
    tools: Vec<(PieceKey, u64)>,
    system: Vec<(PieceKey, u64)>,
}

impl<'r> Walk<'r> {
    fn new(records: &'r [Record], counter: &'r dyn TokenCounter) -> Self {
        Self { records, counter, done: 0, view: View::default(), tools: Vec::new(), system: Vec::new() }
    }

    fn take_front(&mut self, record: &Record) {
        let front = |kind, name: &str, tokens| (PieceKey::Front(kind, name.to_owned(), tokens), tokens);
        match &record.body {
            RecordBody::Tools(list) => {
                let tools = list.tools.iter();
                self.tools = tools.map(|tool| front("tool", &tool.name, self.counter.tool(tool))).collect();
            }
            RecordBody::Prompt(prompt) => {
                let sections = prompt.sections.iter();
                let sections = sections.map(|one| front("system", &one.name, self.counter.text(&one.text)));
                self.system = sections.collect();
            }
            _ => {}
        }
    }

    /// Moves the view to a record. A mark changes earlier records, so the view is projected again there.
    fn show(&mut self, upto: Seq) -> Result<(), ViewError> {
        while let Some(record) = self.records.get(self.done).filter(|record| record.seq <= upto) {
            self.done += 1;
            match self.view.apply(record, self.counter) {
                Err(ViewError::NeedsLog(_)) => {
                    let shown = self.records.iter().take(self.done);
                    self.view = project(shown, self.counter).map_err(|_| ViewError::NeedsLog(record.seq))?;
                }
                applied => applied?,
            }
        }
        Ok(())
    }

    fn sent(&self) -> impl Iterator<Item = (PieceKey, u64)> {
        self.sent_kinds().map(|(key, tokens, _)| (key, tokens))
    }

    /// The same, each with what it is.
    fn sent_kinds(&self) -> impl Iterator<Item = (PieceKey, u64, &'static str)> {
        let of = |kind| move |(key, tokens): &(PieceKey, u64)| (key.clone(), *tokens, kind);
        let front = self.tools.iter().map(of("tool")).chain(self.system.iter().map(of("system")));
        let entries = self.view.entries().iter();
        front.chain(
            entries.map(|entry| (PieceKey::Entry(entry.span, entry.tokens), entry.tokens, entry.kind.name())),
        )
    }
}

#[cfg(test)]
mod tests;
