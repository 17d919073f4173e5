//! A lower bound for deep compactions: cut times chosen with knowledge of the future.
//!
//! The class of cuts is that of a deep compaction: system prompt and tools, a block of 4,000 tokens, and the newest turn
//! remain. Results over 12,000 characters enter as 8,400. Dynamic programming over the cut points finds the times with
//! the lowest price, with the clock and with a refetch for each answer that quotes a line that had left; names are taken
//! to be in the block. The first request is written whole.

use throughline_completion::{CacheRules, PrefixUse, Prices};
use throughline_conversation::{Message, Role};

use super::history::RequestPoint;
use super::run::Course;
use super::view::PeerMessage;
use crate::bill::BilledRequest;
use crate::figures::Figures;
use crate::model::scaled_use;
use crate::recall::Looked;

/// Tokens of the block that a deep compaction leaves.
const BLOCK: u64 = 4_000;

/// Larger results are previewed when they come in.
const LARGE: usize = 12_000;

/// Characters of such a preview.
const PREVIEW: usize = 8_400;

/// What the search needs of one request.
#[derive(Debug)]
struct Point<'a> {
    at: &'a RequestPoint,
    /// Tokens of the history before the answer.
    history: u64,
    /// Tokens of the newest turn, and its first message.
    tail: u64,
    tail_from: usize,
    /// The oldest message that the answer still needs: of each line that it quotes, the newest place.
    needs_from: Option<usize>,
    lines: usize,
}

/// The figures of the best cut times.
pub(super) fn figures(course: &Course<'_>) -> Figures {
    let points = points(course);
    let cuts =
        Search { course, points: &points, prices: Prices::anthropic(), rules: CacheRules::anthropic() }
            .best();
    let mut figures = Figures::default();
    let mut full = course.full.clone();
    let fixed = course.room.fixed;
    let (mut cut, mut last) = (None, 0);
    for (place, point) in points.iter().enumerate() {
        let is_cut = cuts.contains(&place);
        cut = if is_cut { Some(place) } else { cut };
        let total = size(course, &points, cut, place);
        let read = if is_cut { fixed.min(last) } else { last.min(total) };
        last = total;
        let warm = scaled_use(PrefixUse { read, write: total - read, uncached: 0 }, course.factor);
        let whole = scaled_use(full.request(point.at.turn, point.at.step, fixed), course.factor);
        let missed = is_missed(&points, cut, place);
        let looked = Looked::of_lines(point.lines, if missed { 1 } else { 0 });
        let idle_ms = point.at.idle_ms;
        figures.add(&BilledRequest { warm, full: whole, idle_ms, ..BilledRequest::default() }, &looked);
    }
    figures
}

/// Tokens of a request when the last cut was at this one.
fn size(course: &Course<'_>, points: &[Point<'_>], cut: Option<usize>, place: usize) -> u64 {
    let (fixed, limit) = (course.room.fixed, course.room.limit);
    let Some(point) = points.get(place) else { return fixed };
    let whole = fixed + point.history;
    let Some(start) = cut.and_then(|cut| points.get(cut)) else { return whole };
    let left = (fixed + BLOCK + start.tail).min(fixed + start.history).min(limit);
    left + point.history.saturating_sub(start.history)
}

fn is_missed(points: &[Point<'_>], cut: Option<usize>, place: usize) -> bool {
    let needs = points.get(place).and_then(|point| point.needs_from);
    let from = cut.and_then(|cut| points.get(cut)).map(|start| start.tail_from);
    needs.zip(from).is_some_and(|(needs, from)| needs < from)
}

struct Search<'a> {
    course: &'a Course<'a>,
    points: &'a [Point<'a>],
    prices: Prices,
    rules: CacheRules,
}

impl Search<'_> {
    /// The requests before which to cut.
    fn best(&self) -> Vec<usize> {
        let count = self.points.len();
        // `best[cut]`: the lowest price of all requests before that cut, and the cut before it. The last entry is the end.
        let mut best: Vec<(f64, Option<usize>)> = vec![(f64::INFINITY, None); count + 1];
        self.extend(None, 0.0, &mut best);
        for cut in 1..count {
            let price = best.get(cut).map_or(f64::INFINITY, |entry| entry.0);
            if price.is_finite() {
                self.extend(Some(cut), price, &mut best);
            }
        }
        let mut cuts = Vec::new();
        let mut next = best.get(count).and_then(|entry| entry.1);
        while let Some(cut) = next {
            cuts.push(cut);
            next = best.get(cut).and_then(|entry| entry.1);
        }
        cuts
    }

    /// Prices every length of the stretch that begins with this cut.
    fn extend(&self, cut: Option<usize>, before: f64, best: &mut [(f64, Option<usize>)]) {
        let mut price = before;
        let mut last = 0;
        for place in cut.unwrap_or(0)..self.points.len() {
            let total = size(self.course, self.points, cut, place);
            // What does not fit cannot be sent, but the first request of a stretch has no other choice.
            if total > self.course.room.limit && place > cut.unwrap_or(0) {
                return;
            }
            price += self.price(cut, place, last, total);
            last = total;
            if let Some(entry) = best.get_mut(place + 1)
                && price < entry.0
            {
                *entry = (price, cut);
            }
        }
    }

    fn price(&self, cut: Option<usize>, place: usize, last: u64, total: u64) -> f64 {
        let read = if cut == Some(place) { self.course.room.fixed } else { last };
        let split = PrefixUse { read, write: total.saturating_sub(read), uncached: 0 };
        let idle = self.points.get(place).map_or(0, |point| point.at.idle_ms);
        let split = if self.rules.is_cold_after(idle) { split.cold() } else { split };
        let regret = if is_missed(self.points, cut, place) { self.prices.refetch(total) } else { 0.0 };
        self.prices.input(split) + regret
    }
}

fn points<'a>(course: &'a Course<'_>) -> Vec<Point<'a>> {
    let messages = &course.history.messages;
    let mut sums = vec![0_u64];
    for message in messages {
        sums.push(sums.last().copied().unwrap_or_default() + previewed(message));
    }
    let sum = |upto: usize| sums.get(upto).copied().unwrap_or_default();
    let point = |at: &'a RequestPoint| {
        let before = messages.get(..at.upto).unwrap_or_default();
        let assistant = before.iter().rposition(|message| message.message.role == Role::Assistant);
        let tail_from = assistant.unwrap_or(0);
        let lines = course.recall.lines(at.turn, at.step);
        let newest = |line: &String| before.iter().rposition(|message| has(&message.message, line));
        Point {
            at,
            history: sum(at.upto),
            tail: sum(at.upto) - sum(tail_from),
            tail_from,
            needs_from: lines.iter().filter_map(newest).min(),
            lines: lines.len(),
        }
    };
    course.history.requests.iter().map(point).collect()
}

fn has(message: &Message, line: &str) -> bool {
    throughline_ledger::Shown::of(std::iter::once(message), None).has(line)
}

/// Tokens of a message whose large results are previewed.
fn previewed(message: &PeerMessage) -> u64 {
    let (mut whole, mut shown) = (0_usize, 0_usize);
    for result in message.message.tool_results() {
        let length = result.content.len();
        whole += length;
        shown += if length > LARGE { PREVIEW } else { length };
    }
    if shown == whole { message.tokens } else { (message.tokens as f64 * shown as f64 / whole as f64) as u64 }
}
