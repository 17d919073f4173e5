//! Putting the oldest messages behind a text: which ones, and how.

use std::collections::HashSet;

use throughline_conversation::{
    ContentBlock, Entry, EntryKind, Span, SummaryNote, TokenCounter, Unit, UnitKind,
};

use crate::budgets::Budgets;
use crate::history::{History, strings};
use crate::names::names;
use crate::policy::fraction_of;
use crate::stand_in::compose;
use crate::{CompactionPolicy, Draft, Prose, Template};

/// Tokens of a summary's own sentences and headings.
const FRAME: u64 = 150;

/// A stretch of units that goes behind one text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    pub(crate) span: Span,
    pub(crate) tokens: u64,
    /// Whether there is more in it than one summary of an earlier time.
    pub(crate) fresh: bool,
}

/// How many of the oldest units, at most `end`, must go so that the rest and a summary come down to `aim`.
pub(crate) fn choose(
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
        // What a summary of an earlier time says is said again by the new one: nothing is gained by it.
        if Some(index) != pinned && unit.kind != UnitKind::Note {
            covered = covered.saturating_add(unit.tokens);
            words += if unit.kind == UnitKind::User { unit.tokens } else { 0 };
        }
    }
    end
}

/// The first `count` units without the pinned one: one stretch, or one on each side of it.
pub(crate) fn stretches(
    units: &[Unit],
    entries: &[Entry],
    pinned: Option<usize>,
    count: usize,
) -> Vec<Stretch> {
    let split = pinned.filter(|pinned| *pinned < count);
    let sides = match split {
        Some(pinned) => [0..pinned, pinned + 1..count],
        None => [0..count, 0..0],
    };
    let stretch = |range: std::ops::Range<usize>| {
        let side = units.get(range)?;
        let span = Span { first: side.first()?.span.first, last: side.last()?.span.last };
        let tokens = side.iter().fold(0, |sum: u64, unit| sum.saturating_add(unit.tokens));
        let inside = entries.get(side.first()?.entries.start..side.last()?.entries.end)?;
        let fresh = inside.iter().any(|entry| entry.kind != EntryKind::Summary) || inside.len() > 1;
        Some(Stretch { span, tokens, fresh })
    };
    sides.into_iter().filter_map(stretch).collect()
}

/// A stretch with what is known of it.
#[derive(Debug)]
pub(crate) struct Known<'t> {
    pub(crate) stretch: Stretch,
    pub(crate) history: History<'t>,
    pub(crate) budgets: Budgets,
    pub(crate) progress: Prose,
}

/// Gathers what is known of stretches and shares the budgets out among them, by the tokens that they have.
///
/// A summary has few of them just because it stands for much: by its tokens alone it would be cut to a sliver beside
/// a long loop. So a stretch with summaries in it gets no less than these have now, up to the whole of the budgets.
/// The other one does not get less for it: it is what it would have beside a summary that is left as it is.
pub(crate) fn know<'t>(draft: &Draft<'t>, stretches: &[Stretch], budgets: Budgets) -> Vec<Known<'t>> {
    let counter = draft.counter();
    let histories: Vec<(Stretch, History<'t>, u64)> = stretches
        .iter()
        .map(|stretch| {
            let history = History::gather(draft.original_of(stretch.span));
            let words = history.words.iter().map(|text| counter.text(text)).sum();
            (*stretch, history, words)
        })
        .collect();
    let tokens = stretches.iter().map(|stretch| stretch.tokens).sum();
    let words = histories.iter().map(|(_, _, words)| words).sum();
    histories
        .into_iter()
        .map(|(stretch, history, own)| {
            let held = held_by_summaries(draft.original_of(stretch.span), counter).at_most(budgets);
            let share = budgets.part(stretch.tokens, tokens).at_least(held);
            let share = Budgets { words: budgets.part(own, words).words, ..share };
            let written = draft.progress_of(stretch.span).cloned();
            let previous = || Prose::by_rule(history.previous_within(share.progress, counter));
            let progress = written.unwrap_or_else(previous);
            Known { stretch, history, budgets: share, progress }
        })
        .collect()
}

fn held_by_summaries(entries: &[Entry], counter: &dyn TokenCounter) -> Budgets {
    let summaries = entries.iter().filter(|entry| entry.kind == EntryKind::Summary);
    let texts = summaries.flat_map(|entry| entry.message.texts());
    texts.fold(Budgets::default(), |sum, text| sum.plus(Budgets::held_by(text, counter)))
}

/// Covers the stretches. The names that stay visible outside of them are in no index.
pub(crate) fn cover(
    draft: &mut Draft<'_>,
    known: &[Known<'_>],
    policy: &CompactionPolicy,
    template: &Template,
) {
    let transcript = draft.view().transcript().clone();
    let outside = |entry: &&Entry| !known.iter().any(|known| known.stretch.span.holds(entry.span));
    let mut visible = HashSet::new();
    transcript.entries().iter().filter(outside).for_each(|entry| add_visible(&mut visible, entry));
    for Known { stretch, history, budgets, progress } in known {
        let least = policy.clear_min_bytes;
        let text = compose(draft, stretch.span, history, &progress.text, *budgets, least, &visible);
        let mut newest_first = draft.original_of(stretch.span).iter().rev();
        let note = SummaryNote {
            template: template.name.to_owned(),
            model: progress.model.clone(),
            tokens: draft.counter().text(&text),
            parent: newest_first.find(|entry| entry.kind == EntryKind::Summary).map(|entry| entry.span),
        };
        draft.cover_noted(stretch.span, text, Some(note));
    }
}

fn add_visible<'t>(visible: &mut HashSet<&'t str>, entry: &'t Entry) {
    for block in &entry.message.content {
        match block {
            ContentBlock::Text { text } => visible.extend(names(text)),
            ContentBlock::ToolCall(call) => strings(&call.input).for_each(|text| visible.extend(names(text))),
            ContentBlock::ToolResult(result) => visible.extend(names(&result.content)),
            ContentBlock::Thinking(_) | ContentBlock::Image(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
