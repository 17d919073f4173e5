//! Keys with their values in a text: `k=v`, `k: v`, `k -> v`, the leaves of JSON, the rows of a table.

mod json;
mod segment;
mod table;

use std::ops::Range;

/// More of one text are data, not facts to remember.
const MAX_PAIRS: usize = 1_000;

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) key: String,
    pub(crate) value: String,
    /// The bytes of the text that say it.
    pub(crate) at: Range<usize>,
}

/// The pairs of a text, in order. Of JSON and of a table, all pairs of one row or one document have the same place.
pub(crate) fn pairs(text: &str) -> Vec<Pair> {
    let mut found = Vec::new();
    let lines = lines(text);
    let mut next = 0;
    while let Some((at, line)) = lines.get(next) {
        if let Some((end, mut leaves)) = json::document(text, *at, line) {
            found.append(&mut leaves);
            next = lines.partition_point(|(at, _)| *at < end).max(next + 1);
        } else if let Some((count, mut rows)) = table::rows(lines.get(next..).unwrap_or_default()) {
            found.append(&mut rows);
            next += count;
        } else {
            segment::of_line(*at, line, &mut found);
            next += 1;
        }
        if found.len() >= MAX_PAIRS {
            break;
        }
    }
    found.truncate(MAX_PAIRS);
    found
}

/// The text with each run of at least `least` pairs replaced by a line that counts them, and names the heading under which they are.
pub(crate) fn without_runs(text: &str, least: usize, heading: &str) -> String {
    let mut out = String::new();
    let mut shown = 0;
    for run in runs(text, &pairs(text)) {
        if run.count < least {
            continue;
        }
        out.push_str(text.get(shown..run.at.start).unwrap_or_default());
        out.push_str(&format!("[… {} values, under \"{heading}\" …]", run.count));
        shown = run.at.end;
    }
    out.push_str(text.get(shown..).unwrap_or_default());
    out
}

/// Pairs with nothing but separators between them.
struct Run {
    at: Range<usize>,
    count: usize,
}

fn runs(text: &str, pairs: &[Pair]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for pair in pairs {
        let joins = |run: &Run| {
            let between = text.get(run.at.end..pair.at.start);
            // Pairs of one row have one place.
            between.is_none_or(|between| !between.contains(char::is_alphanumeric))
        };
        match runs.last_mut().filter(|run| joins(run)) {
            Some(run) => {
                run.at.end = run.at.end.max(pair.at.end);
                run.count += 1;
            }
            None => runs.push(Run { at: pair.at.clone(), count: 1 }),
        }
    }
    runs
}

/// Each line with its place.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let line = |whole: &'_ str| {
        let start = at;
        at += whole.len();
        start
    };
    let starts: Vec<usize> = text.split_inclusive('\n').map(line).collect();
    starts.into_iter().zip(text.lines()).collect()
}

#[cfg(test)]
mod tests;
