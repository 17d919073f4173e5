//! A ledger as text, within a number of tokens.

use throughline_conversation::{ResultRef, TokenCounter};

use crate::file_note::FileNote;
use crate::grouped::{can_be_grouped, grouped, ungrouped};
use crate::ledger::Ledger;
use crate::section::{CHECKLIST, COMMANDS, ERRORS, FILES};

/// How a line begins that names changed files for which there is no room otherwise.
pub(crate) const ALSO_CHANGED: &str = "Also changed: ";
/// How a line begins that names other load-bearing things.
pub(crate) const ALSO: &str = "Also: ";

/// The files that a list of files only names, without saying what was done to them.
pub fn also_changed(files: &str) -> impl Iterator<Item = String> {
    files.lines().filter_map(|line| line.strip_prefix(ALSO_CHANGED)).flat_map(ungrouped)
}

/// A ledger as text: a list for each kind, oldest first. A list may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerText {
    /// The checklist, in its own order; empty when nothing of it is open.
    pub checklist: String,
    /// The files.
    pub files: String,
    /// The commands.
    pub commands: String,
    /// The errors.
    pub errors: String,
}

impl LedgerText {
    /// The lists under their headings, without those that are empty; [`Ledger::merge`] reads it back.
    #[must_use]
    pub fn markdown(&self) -> String {
        let parts = [
            (CHECKLIST, &self.checklist),
            (FILES, &self.files),
            (COMMANDS, &self.commands),
            (ERRORS, &self.errors),
        ];
        let part = |(name, list): (&str, &String)| format!("\n## {name}\n{list}\n");
        parts.into_iter().filter(|(_, list)| !list.is_empty()).map(part).collect()
    }
}

impl Ledger {
    /// The ledger within that many tokens. Half of it is for files, up to three tenths are for commands, and errors have
    /// what commands leave of the other half. Unneeded room is not filled, but files that were changed may take
    /// it. Of each kind the newest stay, and what is load-bearing goes before what is not. Changed files that have no
    /// line are named together on one, which has all but an eighth of the room for files: that a file was changed matters
    /// more than what was done to another.
    ///
    /// A checklist of which something is open comes on top, within a quarter of the tokens: the open steps that come next
    /// before later ones, and those before steps that are done.
    ///
    /// `stored` gives the name under which the result of a call can be read, if it can.
    pub fn render(
        &self,
        tokens: u64,
        counter: &dyn TokenCounter,
        stored: &mut dyn FnMut(&str) -> Option<ResultRef>,
    ) -> LedgerText {
        let newest_failing = self.commands.iter().rposition(crate::CommandNote::is_failing);
        let commands = self.commands.iter().enumerate();
        let commands =
            PricedLines::of(commands.map(|(at, note)| (Some(at) == newest_failing, note.line())), counter);
        let share = tokens.saturating_mul(3) / 10;
        let commands = commands.fitting(share, share);
        let errors = PricedLines::of(self.errors.iter().map(|note| (!note.resolved, note.line())), counter);
        let errors = errors.fitting((tokens / 2).saturating_sub(commands.tokens), tokens / 5);
        let left = tokens.saturating_sub(errors.tokens).saturating_sub(commands.tokens);
        let files = self.files(left, tokens / 2, counter, stored);
        let checklist = self.steps(tokens / 4, counter);
        LedgerText { checklist, files: files.text, commands: commands.text, errors: errors.text }
    }

    fn steps(&self, most: u64, counter: &dyn TokenCounter) -> String {
        if !self.checklist.iter().any(crate::StepNote::is_open) {
            return String::new();
        }
        // A list takes its last lines first, and what is to be done next must not be left out.
        let steps = self.checklist.iter().rev();
        let steps = PricedLines::of(steps.map(|step| (step.is_open(), step.line())), counter);
        let fitting = steps.fitting(most, most).text;
        fitting.lines().rev().collect::<Vec<_>>().join("\n")
    }

    /// Where the last changes were is said of the newest, when there is room for all files.
    fn files(
        &self,
        most: u64,
        usual: u64,
        counter: &dyn TokenCounter,
        stored: &mut dyn FnMut(&str) -> Option<ResultRef>,
    ) -> Fitting {
        /// Only of the newest files: the next work starts there.
        const PLACES: usize = 3;
        let changed = self.files.iter().enumerate().rev().filter(|(_, note)| note.is_changed());
        let from = changed.map(|(at, _)| at).take(PLACES).last().unwrap_or(0);
        let mut list = |places: bool| {
            let lines = self.files.iter().enumerate();
            let line =
                |(at, note): (usize, &FileNote)| (note.is_changed(), note.line(places && at >= from, stored));
            PricedLines::of(lines.map(line), counter)
        };
        let whole = list(true);
        if whole.tokens() <= usual {
            return whole.fitting(most, usual);
        }
        let lines = list(false);
        let fitting = lines.fitting(most, usual);
        if self.unnamed(&fitting).is_empty() {
            return fitting;
        }
        let all: Vec<&str> = self.changed_paths().collect();
        let together = counter.text(&format!("{ALSO_CHANGED}{}", grouped(&all))).min(most - most / 8);
        let mut fitting = lines.fitting(most.saturating_sub(together), usual.saturating_sub(together));
        let line = together_within(&self.unnamed(&fitting), most.saturating_sub(fitting.tokens), counter);
        if let Some((line, tokens)) = line {
            fitting.text.push_str(if fitting.text.is_empty() { "" } else { "\n" });
            fitting.text.push_str(&line);
            fitting.tokens = fitting.tokens.saturating_add(tokens);
        }
        fitting
    }

    /// Changed files that can be named together, newest first.
    fn changed_paths(&self) -> impl Iterator<Item = &str> {
        let changed = self.files.iter().rev().filter(|note| note.is_changed());
        changed.map(|note| note.path.as_str()).filter(|path| can_be_grouped(path))
    }

    /// Those that have no line of their own.
    fn unnamed(&self, fitting: &Fitting) -> Vec<&str> {
        let named: Vec<&str> = fitting
            .places
            .iter()
            .filter_map(|at| self.files.get(*at))
            .map(|note| note.path.as_str())
            .collect();
        self.changed_paths().filter(|path| !named.contains(path)).collect()
    }
}

/// One line that names as many of the paths as go into that many tokens, the first ones, and its cost.
fn together_within(paths: &[&str], tokens: u64, counter: &dyn TokenCounter) -> Option<(String, u64)> {
    let line = |count: usize| {
        let line = format!("{ALSO_CHANGED}{}", grouped(paths.get(..count).unwrap_or_default()));
        let cost = counter.text(&line);
        (line, cost)
    };
    // More names cost more, so the number is found by halving.
    let (mut fits, mut over) = (0, paths.len() + 1);
    while over - fits > 1 {
        let middle = fits.midpoint(over);
        if line(middle).1 <= tokens { fits = middle } else { over = middle }
    }
    (fits > 0).then(|| line(fits))
}

/// Lines, each with its priority and its tokens.
struct PricedLines(Vec<(bool, String, u64)>);

/// The lines of a list that fit.
struct Fitting {
    /// Which of the list.
    places: Vec<usize>,
    text: String,
    tokens: u64,
}

impl PricedLines {
    fn of(lines: impl Iterator<Item = (bool, String)>, counter: &dyn TokenCounter) -> Self {
        let priced = |(first, line): (bool, String)| {
            let line = format!("- {line}");
            let tokens = counter.text(&line);
            (first, line, tokens)
        };
        Self(lines.map(priced).collect())
    }

    fn tokens(&self) -> u64 {
        self.0.iter().fold(0, |sum: u64, (_, _, tokens)| sum.saturating_add(*tokens))
    }

    /// The newest of those that go first, within `most` tokens; then the newest others, as long as all are within
    /// `usual`. In the order of the list.
    fn fitting(&self, most: u64, usual: u64) -> Fitting {
        let mut used: u64 = 0;
        let mut chosen = Vec::new();
        for (turn, budget) in [(true, most), (false, usual)] {
            let of_turn = self.0.iter().enumerate().rev().filter(|(_, (first, ..))| *first == turn);
            for (at, (_, _, tokens)) in of_turn {
                if used.saturating_add(*tokens) > budget {
                    break;
                }
                used += tokens;
                chosen.push(at);
            }
        }
        chosen.sort_unstable();
        let lines = chosen.iter().filter_map(|at| self.0.get(*at)).map(|(_, line, _)| line.as_str());
        Fitting { text: lines.collect::<Vec<_>>().join("\n"), tokens: used, places: chosen }
    }
}
