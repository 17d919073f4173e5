//! Recognises a compaction by what an agent shows on its screen.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use throughline_text::{cut_end, sanitized};

/// What agents show while they compact. Letters count whatever their case, and spaces whatever their number.
const PATTERNS: [&str; 8] = [
    "Auto-compacting conversation",
    "Compacting context",
    // Claude Code 2.1, gemini-cli, goose and opencode.
    "Compacting conversation",
    "Compressing chat history",
    AFTER[0],
    AFTER[1],
    "goose is compacting the conversation",
    "▣ Compaction",
];

/// Patterns that are shown after a compaction. gemini-cli shows nothing before one by threshold, and what it shows before another may
/// be gone at once.
const AFTER: [&str; 2] = ["Chat history compressed from", "Context compressed from"];

/// Words of lines that may tell of a compaction in a wording that no pattern has.
const WORDS: [&str; 4] = ["compact", "context limit", "context window", "summarizing conversation"];

/// Maximum number of unknown wordings of a run that are reported.
const UNKNOWN: usize = 50;

/// Maximum bytes of a wording.
const WORDING: usize = 200;

/// A pattern that comes back within this time tells of the same compaction: agents erase what they draw again, and show the hooks
/// of a compaction in between. So does one of [`AFTER`] within this time after any other.
const RETURNS: Duration = Duration::from_secs(3);

/// How long a line must stand before it counts as a wording: agents draw in pieces.
const STANDS: Duration = Duration::from_secs(1);

/// What a screen tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScreenSign {
    /// This pattern came into view.
    Compaction(String),
    /// A line that no pattern knows may tell of a compaction.
    UnknownWording(String),
}

/// Looks for compactions in what an agent shows.
///
/// It sees text, not bytes: agents redraw single cells, so a phrase need not be in their output as one piece.
#[derive(Debug, Clone)]
pub struct CompactionDetector {
    patterns: Vec<String>,
    in_view: BTreeSet<String>,
    /// Rows in view that have a pattern: some agents leave the mark of an earlier compaction there.
    rows: usize,
    /// When a compaction came into view.
    signed: Option<Instant>,
    /// When each pattern was in view last.
    last: BTreeMap<String, Instant>,
    /// Lines in view that may be wordings, by row.
    pending: BTreeMap<usize, Pending>,
    unknown: BTreeSet<String>,
}

/// A line that may be a wording. Its numbers, such as seconds that count, make no difference.
#[derive(Debug, Clone)]
struct Pending {
    letters: String,
    wording: String,
    since: Instant,
}

impl CompactionDetector {
    /// A detector of the known patterns and of these. Empty ones are left out.
    pub fn new<'p>(more: impl IntoIterator<Item = &'p str>) -> Self {
        let all = PATTERNS.into_iter().chain(more);
        let mut patterns: Vec<String> = all.map(normal).collect();
        patterns.retain(|pattern| !pattern.is_empty());
        Self {
            patterns,
            in_view: BTreeSet::new(),
            rows: 0,
            signed: None,
            last: BTreeMap::new(),
            pending: BTreeMap::new(),
            unknown: BTreeSet::new(),
        }
    }

    /// The compaction that the rows of a screen tell at a time, if it was not in view before. Lines in another wording are noted
    /// for [`settled`](Self::settled).
    pub fn observe<'r>(
        &mut self,
        rows: impl IntoIterator<Item = &'r str>,
        at: Instant,
    ) -> Option<ScreenSign> {
        let (mut in_view, mut pending, mut count) = (BTreeSet::new(), BTreeMap::new(), 0);
        for (number, row) in rows.into_iter().enumerate() {
            let lower = normal(row);
            let found: BTreeSet<String> = self.found(&lower).map(str::to_owned).collect();
            if found.is_empty() && WORDS.iter().any(|word| lower.contains(word)) {
                pending.insert(number, self.pending_at(number, row, at));
            }
            count += usize::from(!found.is_empty());
            in_view.extend(found);
        }
        self.pending = pending;
        // One wording may have several patterns in it; it is one compaction.
        let longest = in_view.iter().max_by_key(|pattern| pattern.len());
        let is_past =
            |last: Option<&Instant>| last.is_none_or(|last| at.saturating_duration_since(*last) >= RETURNS);
        let is_after = |pattern: &String| AFTER.iter().any(|after| normal(after) == *pattern);
        let is_new = |pattern: &String| match self.rows {
            0 if is_after(pattern) => is_past(self.last.values().max()),
            0 => is_past(self.last.get(pattern)),
            rows => count > rows && is_past(self.signed.as_ref()),
        };
        let sign = longest.filter(|pattern| is_new(pattern)).cloned().map(ScreenSign::Compaction);
        self.signed = if sign.is_some() { Some(at) } else { self.signed };
        self.rows = count;
        self.last.extend(in_view.union(&self.in_view).map(|pattern| (pattern.clone(), at)));
        self.in_view = in_view;
        sign
    }

    /// The unknown wordings that are unchanged for a second at this time, each once.
    pub fn settled(&mut self, at: Instant) -> Vec<ScreenSign> {
        self.unknown(|line| at.saturating_duration_since(line.since) >= STANDS)
    }

    /// The unknown wordings that are in view at the end.
    pub fn rest(&mut self) -> Vec<ScreenSign> {
        self.unknown(|_| true)
    }

    fn found<'s>(&'s self, lower: &'s str) -> impl Iterator<Item = &'s str> {
        self.patterns.iter().map(String::as_str).filter(|pattern| lower.contains(pattern))
    }

    /// A line that may be a wording: since when its row shows it.
    fn pending_at(&self, number: usize, row: &str, at: Instant) -> Pending {
        let row = sanitized(row.trim());
        let wording = cut_end(&row, WORDING).to_owned();
        let letters: String = wording.chars().filter(|letter| letter.is_alphabetic()).collect();
        let before = self.pending.get(&number).filter(|line| line.letters == letters);
        let since = before.map_or(at, |line| line.since);
        Pending { letters, wording, since }
    }

    /// The signs of such lines that were not reported before.
    fn unknown(&mut self, stands: impl Fn(&Pending) -> bool) -> Vec<ScreenSign> {
        let mut signs = Vec::new();
        for line in self.pending.values().filter(|line| stands(line)) {
            if self.unknown.len() < UNKNOWN && self.unknown.insert(line.letters.clone()) {
                signs.push(ScreenSign::UnknownWording(line.wording.clone()));
            }
        }
        signs
    }
}

/// A text in lower case, with single spaces.
fn normal(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
