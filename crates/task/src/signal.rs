//! What the model reports in its text.
//!
//! A signal is a line of its own, outside of blocks of code:
//!
//! ```text
//! SIGNAL:DONE
//! SIGNAL:HAT reviewer
//! SIGNAL:BLOCKED the password of the test database is missing
//! SIGNAL:ITEM 2 completed
//! SIGNAL:ITEM 3 blocked: needs the new schema
//! ```
//!
//! All begin with one word because the text of a scratchpad ends at that word: a model can report after it has
//! written its scratchpad. `CHECKLIST: 2 completed` says the same as the fourth line; within a scratchpad's text it
//! counts only when it is well formed.

mod fences;

use crate::checklist::ItemStatus;
use crate::template::one_line;

pub(crate) use fences::Fences;

const SIGNAL: &str = "SIGNAL:";
const CHECKLIST: &str = "CHECKLIST:";
const SCRATCHPAD: &str = "SCRATCHPAD:";

/// Longest line that is repeated to the model, in bytes.
const SHOWN: usize = 200;

/// One thing that the model reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// The work of this phase, in the last phase the whole task, is done.
    Done,
    /// The next phase.
    Hat(String),
    /// The task is blocked, for this reason.
    Blocked(String),
    /// How far an item is.
    Item {
        /// Its number on the list, from 1.
        number: usize,
        /// How far it is.
        status: ItemStatus,
    },
    /// A line that begins as a signal but is malformed.
    Malformed {
        /// The line, shortened.
        line: String,
        /// What is wrong with it, and what to write.
        why: String,
    },
}

/// Every signal of a text, in order.
///
/// Bold and code marks around a whole line make no difference; a list mark or a quotation mark does, since plans and
/// quotations are full of signals that are not meant. In the text of a scratchpad only bare lines count.
#[must_use]
pub(crate) fn signals(text: &str) -> Vec<Signal> {
    let mut found = Vec::new();
    let mut fences = Fences::default();
    let mut in_scratchpad = false;
    for line in text.lines() {
        if fences.covers(line) {
            continue;
        }
        if line.starts_with(SCRATCHPAD) {
            in_scratchpad = true;
            continue;
        }
        let line = if in_scratchpad { line } else { unwrapped(line) };
        if let Some(rest) = line.strip_prefix(SIGNAL) {
            in_scratchpad = false;
            found.extend(read(rest).unwrap_or_else(|why| malformed(line, why)));
        } else if let Some(rest) = line.strip_prefix(CHECKLIST) {
            match items(rest) {
                Ok(items) => found.extend(items),
                Err(why) if !in_scratchpad => found.extend(malformed(line, why)),
                Err(_) => {}
            }
        }
    }
    found
}

/// The line without spaces and marks around it.
fn unwrapped(line: &str) -> &str {
    let mut line = line.trim();
    for mark in ["**", "__", "`"] {
        let inner = line.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        line = inner.unwrap_or(line).trim();
    }
    line
}

fn malformed(line: &str, why: String) -> Vec<Signal> {
    let line = throughline_text::cut_end(line, SHOWN).to_owned();
    vec![Signal::Malformed { line, why }]
}

/// Reads what stands behind `SIGNAL:`.
fn read(text: &str) -> Result<Vec<Signal>, String> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let said = rest.trim_start_matches([':', '=']).trim();
    match word.to_ascii_uppercase().as_str() {
        "DONE" if said.trim_matches(['.', '!']).is_empty() => Ok(vec![Signal::Done]),
        "DONE" => Err("nothing may follow `SIGNAL:DONE` on its line".to_owned()),
        "HAT" => hat(said).map(|signal| vec![signal]),
        "BLOCKED" if said.is_empty() => {
            Err("say what blocks the task: `SIGNAL:BLOCKED the reason, in one line`".to_owned())
        }
        "BLOCKED" => Ok(vec![Signal::Blocked(one_line(said))]),
        "ITEM" | "CHECKLIST" => items(said),
        _ => Err("the signals are DONE, HAT, BLOCKED and ITEM, as in `SIGNAL:DONE`".to_owned()),
    }
}

fn hat(said: &str) -> Result<Signal, String> {
    let name = said.trim_matches(['`', '"', '\'', '.']);
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err("name one hat and nothing else: `SIGNAL:HAT builder`".to_owned());
    }
    Ok(Signal::Hat(name.to_owned()))
}

/// Reads `2 completed`, `2, 3 in_progress` or `3 blocked: reason`.
fn items(text: &str) -> Result<Vec<Signal>, String> {
    let wrong = || "write the item's number and its status: `SIGNAL:ITEM 2 completed`".to_owned();
    let text = text.trim();
    let word_at = text.find(|letter: char| letter.is_alphabetic()).ok_or_else(wrong)?;
    let (numbers, said) = text.split_at_checked(word_at).ok_or_else(wrong)?;
    let numbers: Vec<usize> = numbers
        .trim_end_matches([' ', '\t', ':', '.', '=', '-', ')', ']'])
        .split([',', ' ', '\t'])
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_start_matches(['#', '[']).parse().map_err(|_| wrong()))
        .collect::<Result<_, _>>()?;
    if numbers.is_empty() {
        return Err(wrong());
    }
    let status = status(said)?;
    Ok(numbers.into_iter().map(|number| Signal::Item { number, status: status.clone() }).collect())
}

fn status(said: &str) -> Result<ItemStatus, String> {
    let lower = said.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("blocked") {
        // The cases of ASCII letters have one length, so the end of one text is the end of the other.
        let reason = one_line(
            throughline_text::cut_start(said, rest.len()).trim_start_matches([':', '-', '—', ' ', '(']),
        );
        if reason.is_empty() {
            return Err("say what blocks the item: `SIGNAL:ITEM 2 blocked: the reason`".to_owned());
        }
        return Ok(ItemStatus::Blocked(reason.trim_end_matches(')').to_owned()));
    }
    match lower.trim_end_matches(['.', '!']).replace(['-', ' '], "_").as_str() {
        "completed" | "complete" | "done" | "finished" => Ok(ItemStatus::Completed),
        "in_progress" | "started" => Ok(ItemStatus::InProgress),
        "pending" | "open" | "todo" => Ok(ItemStatus::Pending),
        _ => Err("an item is completed, in_progress, pending, or blocked with a reason".to_owned()),
    }
}

#[cfg(test)]
mod tests;
