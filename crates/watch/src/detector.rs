//! Recognises a compaction by what an agent shows on its screen.

use std::collections::BTreeSet;

use throughline_text::{cut_end, sanitized};

/// What agents show while they compact. Letters count whatever their case.
pub const COMPACTION_PATTERNS: [&str; 6] = [
    "Auto-compacting conversation",
    "Compacting context",
    // Claude Code 2.1, gemini-cli, goose and opencode.
    "Compacting conversation",
    "Compressing chat history",
    "goose is compacting the conversation",
    "▣ Compaction",
];

/// Words of lines that may tell of a compaction in a wording that no pattern has.
const WORDS: [&str; 4] = ["compact", "context limit", "context window", "summarizing conversation"];

/// Most unknown wordings of a run that are reported.
const UNKNOWN: usize = 50;

/// Most bytes of a wording.
const WORDING: usize = 200;

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
    unknown: BTreeSet<String>,
}

impl CompactionDetector {
    /// A detector of the known patterns and of these. Empty ones are left out.
    pub fn new<'p>(more: impl IntoIterator<Item = &'p str>) -> Self {
        let all = COMPACTION_PATTERNS.into_iter().chain(more);
        let mut patterns: Vec<String> = all.map(|pattern| pattern.trim().to_lowercase()).collect();
        patterns.retain(|pattern| !pattern.is_empty());
        Self { patterns, in_view: BTreeSet::new(), unknown: BTreeSet::new() }
    }

    /// Returns true if any pattern is in an output.
    #[must_use]
    pub fn detect(&self, output: &str) -> bool {
        self.found(&output.to_lowercase()).next().is_some()
    }

    /// What the rows of a screen tell that was not in view before.
    pub fn observe<'r>(&mut self, rows: impl IntoIterator<Item = &'r str>) -> Vec<ScreenSign> {
        let (mut signs, mut in_view) = (Vec::new(), BTreeSet::new());
        for row in rows {
            let lower = row.to_lowercase();
            let found: BTreeSet<String> = self.found(&lower).map(str::to_owned).collect();
            if found.is_empty() && WORDS.iter().any(|word| lower.contains(word)) {
                signs.extend(self.unknown(row));
            }
            in_view.extend(found);
        }
        // One wording may have several patterns in it; it is one compaction.
        if self.in_view.is_empty()
            && let Some(longest) = in_view.iter().max_by_key(|pattern| pattern.len())
        {
            signs.push(ScreenSign::Compaction(longest.clone()));
        }
        self.in_view = in_view;
        signs
    }

    fn found<'s>(&'s self, lower: &'s str) -> impl Iterator<Item = &'s str> {
        self.patterns.iter().map(String::as_str).filter(|pattern| lower.contains(pattern))
    }

    /// The sign of a wording that was not seen before. Its numbers, such as seconds that count, make no difference.
    fn unknown(&mut self, row: &str) -> Option<ScreenSign> {
        let row = sanitized(row.trim());
        let wording = cut_end(&row, WORDING).to_owned();
        let letters: String = wording.chars().filter(|letter| letter.is_alphabetic()).collect();
        let is_new = self.unknown.len() < UNKNOWN && self.unknown.insert(letters);
        is_new.then_some(ScreenSign::UnknownWording(wording))
    }
}

#[cfg(test)]
mod tests;
