//! Instructions of results that would become a summary's own words.
//!
//! A result may tell its reader what to do, or that a rule of the user holds no more. A summary that repeats it in its own
//! words would give it the weight of the conversation. So such lines are left out of the prose, by any author; results
//! themselves stay readable as what they are.

use std::collections::HashSet;

use throughline_conversation::{Entry, EntryKind, rules_of};
use throughline_text::counted;

use crate::draft::Draft;
use crate::guidance::{instructs, withdraws, words};
use crate::names::names;

/// Words in a row that a line has in common with a result by more than chance.
const RUN: usize = 5;
/// A shorter line of a result says nothing.
const LEAST: usize = 3;

/// Prose about covered messages without what their results asked for; the draft notes how many lines that were.
pub(crate) fn own_prose(draft: &mut Draft<'_>, covered: &[Entry], prose: &str) -> String {
    let (own, left_out) = without_injected(prose, covered, draft.original());
    if left_out > 0 {
        draft.note(format!(
            "left out of a summary: {} that repeated what a result asks for",
            counted(left_out as u64, "line")
        ));
    }
    own
}

/// Prose without the lines that repeat an instruction of a result, or that say that a rule of the user was withdrawn although
/// the user said no such thing; and how many lines those were.
///
/// `covered` are the messages that the prose is about, `all` those in view.
fn without_injected(prose: &str, covered: &[Entry], all: &[Entry]) -> (String, usize) {
    let users = || {
        let own = all.iter().filter(|entry| matches!(entry.kind, EntryKind::User | EntryKind::Summary));
        own.flat_map(Entry::own_texts)
    };
    // What a result says about the subject of a rule is for the user to decide.
    let unquoted = users().flat_map(str::lines).map(|line| line.trim_start_matches("> "));
    let subjects: HashSet<&str> = unquoted.flat_map(rules_of).flat_map(names).collect();
    let speaks = |line: &str| instructs(line) || names(line).any(|name| subjects.contains(name));
    let results = covered.iter().flat_map(|entry| entry.message.tool_results());
    let lines = results.flat_map(|result| result.content.lines()).filter(|line| speaks(line));
    let injected: Vec<Vec<String>> = lines.map(words).filter(|line| line.len() >= LEAST).collect();
    let runs: HashSet<&[String]> =
        injected.iter().flat_map(|line| line.windows(RUN.min(line.len()))).collect();
    let may_withdraw = users().any(|text| text.lines().any(withdraws));
    let mut left_out = 0;
    let kept: Vec<&str> = prose
        .lines()
        .filter(|line| {
            let said = words(line);
            let repeats = (LEAST..=RUN).any(|length| said.windows(length).any(|run| runs.contains(run)))
                || (said.len() <= RUN && is_part_of(&said, &injected));
            let injected = repeats || (!may_withdraw && withdraws(line));
            left_out += usize::from(injected);
            !injected
        })
        .collect();
    if left_out == 0 { (prose.to_owned(), 0) } else { (kept.join("\n"), left_out) }
}

/// Returns true if a short line is a part of a line that was injected. Its first or last word may be cut.
fn is_part_of(said: &[String], injected: &[Vec<String>]) -> bool {
    let whole = [said.get(..), said.get(1..), said.get(..said.len().saturating_sub(1))];
    let parts = whole.into_iter().flatten().filter(|part| part.len() >= LEAST);
    parts.into_iter().any(|part| injected.iter().any(|line| line.windows(part.len()).any(|run| run == part)))
}

#[cfg(test)]
mod tests;
