//! Covering the oldest messages with a text: which ones, and how.

use throughline_conversation::{Entry, EntryKind, Span, SummaryNote, TokenCounter, Unit, UnitKind};

use crate::budgets::Budgets;
use crate::draft::Draft;
use crate::fraction::fraction_of;
use crate::history::RangeFacts;
use crate::plan::{Plan, last_request};
use crate::policy::CompactionPolicy;
use crate::summarizer::Prose;
use crate::summary_text::render;
use crate::template::Template;
use crate::visible::Visible;

/// Tokens of a summary's own sentences and headings.
const FRAME: u64 = 150;

/// A range of messages that one text covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Its records.
    pub span: Span,
    /// Tokens of its messages.
    pub tokens: u64,
    /// False if the range is nothing but one earlier summary: covering it again gains nothing.
    pub fresh: bool,
}

/// How many of the oldest units, at most `end`, must go so that the rest and a summary come down to `aim`.
pub(crate) fn units_to_cover(
    tokens: u64,
    units: &[Unit],
    pinned: Option<usize>,
    end: usize,
    aim: u64,
    budgets: Budgets,
) -> usize {
    let (mut covered, mut words) = (0u64, 0u64);
    for (index, unit) in units.iter().enumerate().take(end) {
        let summary = FRAME + words.min(budgets.words) + fraction_of(covered, 0.2).min(budgets.notes());
        if covered > 0 && tokens.saturating_sub(covered).saturating_add(summary) <= aim {
            return index;
        }
        // The new summary would repeat an earlier one, so covering that gains nothing.
        if Some(index) != pinned && unit.kind != UnitKind::Note {
            covered = covered.saturating_add(unit.tokens);
            words += if unit.kind == UnitKind::User { unit.tokens } else { 0 };
        }
    }
    end
}

/// The first `count` units without the pinned one: one range, or one on each side of it.
pub(crate) fn ranges(units: &[Unit], entries: &[Entry], pinned: Option<usize>, count: usize) -> Vec<Range> {
    let split = pinned.filter(|pinned| *pinned < count);
    let sides = match split {
        Some(pinned) => [0..pinned, pinned + 1..count],
        None => [0..count, 0..0],
    };
    let range = |side: std::ops::Range<usize>| {
        let side = units.get(side)?;
        let span = Span { first: side.first()?.span.first, last: side.last()?.span.last };
        let tokens = side.iter().fold(0, |sum: u64, unit| sum.saturating_add(unit.tokens));
        let inside = entries.get(side.first()?.entries.start..side.last()?.entries.end)?;
        let own: Vec<&Entry> = inside.iter().filter(|entry| !entry.is_pinned_note()).collect();
        let fresh = own.iter().any(|entry| entry.kind != EntryKind::Summary) || own.len() > 1;
        Some(Range { span, tokens, fresh })
    };
    sides.into_iter().filter_map(range).collect()
}

/// The first `count` units as ranges to cover: all but the user's last request, which stays between them, and but a range
/// that is only one earlier summary.
#[must_use]
pub fn fresh_ranges(draft: &Draft<'_>, count: usize) -> Vec<Range> {
    let units = draft.units();
    let mut ranges = ranges(&units, draft.entries(), last_request(&units, draft.entries()), count);
    ranges.retain(|range| range.fresh);
    ranges
}

/// The first `count` units as one range to cover, the user's last request included; `None` if that is only one earlier
/// summary, or nothing.
#[must_use]
pub fn whole_range(draft: &Draft<'_>, count: usize) -> Option<Range> {
    ranges(&draft.units(), draft.entries(), None, count).into_iter().find(|range| range.fresh)
}

/// How many of the oldest units, at most `end`, must be left out to reach the plan's aim without a summary.
#[must_use]
pub fn units_to_leave_out(draft: &Draft<'_>, plan: &Plan<'_>, end: usize) -> usize {
    let units = draft.units();
    let pinned = last_request(&units, draft.entries());
    units_to_cover(draft.tokens(), &units, pinned, end, plan.aim, Budgets::default())
}

/// The size of a range's messages, and its part of the budgets.
#[derive(Debug)]
pub(crate) struct RangeHistory<'t> {
    pub(crate) range: Range,
    pub(crate) history: RangeFacts<'t>,
    pub(crate) budgets: Budgets,
    pub(crate) progress: Prose,
}

/// Gathers the histories of ranges and shares the budgets out among them, by their tokens.
///
/// A summary has few tokens although it covers much: by its tokens alone it would be cut to a sliver next to a long loop.
/// So a range with summaries in it gets no less than these have now, up to the whole of the budgets. The other range does
/// not get less for it: it gets what it would have next to a summary that is left unchanged.
pub(crate) fn analyze<'t>(draft: &Draft<'t>, ranges: &[Range], budgets: Budgets) -> Vec<RangeHistory<'t>> {
    let counter = draft.counter();
    let histories: Vec<(Range, RangeFacts<'t>, u64)> = ranges
        .iter()
        .map(|range| {
            let history = RangeFacts::gather(draft.original_of(range.span));
            let words = history.words.iter().map(|text| counter.text(text)).sum();
            (*range, history, words)
        })
        .collect();
    let tokens = ranges.iter().map(|range| range.tokens).sum();
    let words = histories.iter().map(|(_, _, words)| words).sum();
    histories
        .into_iter()
        .map(|(range, history, own)| {
            let held = held_by_summaries(draft.original_of(range.span), counter).at_most(budgets);
            let share = budgets.part(range.tokens, tokens).at_least(held);
            let share = Budgets { words: budgets.part(own, words).words, ..share };
            let written = draft.progress_of(range.span).cloned();
            let previous = || Prose::by_rule(history.previous_within(share.progress, counter));
            let progress = written.unwrap_or_else(previous);
            RangeHistory { range, history, budgets: share, progress }
        })
        .collect()
}

/// The budgets without what the summaries outside of the ranges hold; at least a quarter.
pub(crate) fn budgets_left(draft: &Draft<'_>, ranges: &[Range], budgets: Budgets) -> Budgets {
    /// A summary of less says nothing.
    const LEAST: u64 = 4;
    let outside = draft.entries().iter().filter(|entry| {
        entry.kind == EntryKind::Summary && !ranges.iter().any(|range| range.span.holds(entry.span))
    });
    let texts = outside.flat_map(|entry| entry.message.texts());
    let held = texts.fold(Budgets::default(), |sum, text| sum.plus(Budgets::held_by(text, draft.counter())));
    budgets.less(held).at_least(budgets.part(1, LEAST))
}

fn held_by_summaries(entries: &[Entry], counter: &dyn TokenCounter) -> Budgets {
    let summaries = entries.iter().filter(|entry| entry.kind == EntryKind::Summary);
    let texts = summaries.flat_map(Entry::own_texts);
    texts.fold(Budgets::default(), |sum, text| sum.plus(Budgets::held_by(text, counter)))
}

/// Covers ranges with summaries. Names that stay visible outside of them are in no index.
pub(crate) fn cover(
    draft: &mut Draft<'_>,
    histories: &[RangeHistory<'_>],
    policy: &CompactionPolicy,
    template: &Template,
) {
    let transcript = draft.view().transcript().clone();
    let outside = |entry: &&Entry| !histories.iter().any(|one| one.range.span.holds(entry.span));
    let entries: Vec<&Entry> = transcript.entries().iter().filter(outside).collect();
    let mut written: Vec<String> = Vec::new();
    for RangeHistory { range, history, budgets, progress } in histories {
        let visible = Visible::of(&entries, &written);
        let least = policy.clear_min_bytes;
        let text = render(draft, range.span, history, &progress.text, *budgets, least, &visible);
        cover_range(draft, range, text.clone(), template, progress);
        written.push(text);
    }
}

/// Covers one range with a summary, and records its template and who wrote its prose.
pub fn cover_range(draft: &mut Draft<'_>, range: &Range, text: String, template: &Template, prose: &Prose) {
    let covered = draft.original_of(range.span);
    let parent = covered.iter().rfind(|entry| entry.kind == EntryKind::Summary).map(|entry| entry.span);
    let tokens = draft.counter().text(&text);
    let (model, provider) = (prose.model.clone(), prose.provider.clone());
    let note = SummaryNote { template: template.name.to_owned(), model, tokens, provider, parent };
    draft.cover(range.span, text, Some(note));
}

/// Leaves out the first `count` units but the user's last request, without a summary: one line says where they can be
/// read.
pub fn leave_out(draft: &mut Draft<'_>, plan: &Plan<'_>, count: usize, template: &Template) {
    let ranges = fresh_ranges(draft, count);
    let histories = analyze(draft, &ranges, Budgets::default());
    cover(draft, &histories, plan.policy, template);
}

#[cfg(test)]
mod tests;
