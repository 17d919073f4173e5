//! What a scratchpad says: the steps of its plan, its decisions, its blockers.

use serde::{Deserialize, Serialize};

use super::sections;
use crate::markdown::{checkbox, heading, item, lines};

/// One step of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChecklistItem {
    /// What is to be done.
    pub description: String,
    /// How far it is: `completed`, or any other word (`pending`, `in_progress`, `blocked`, …) while it is not.
    pub status: String,
}

impl ChecklistItem {
    /// A step.
    #[must_use]
    pub fn new(description: impl Into<String>, status: impl Into<String>) -> Self {
        Self { description: description.into(), status: status.into() }
    }

    /// Returns true if it is done.
    #[must_use]
    pub fn is_completed(&self) -> bool {
        self.status == "completed"
    }
}

/// The steps under "Current Plan": `1. [x] …`, `- [ ] …`, also without a box. A step with a box counts at any depth, one
/// without only at the first.
#[must_use]
pub(crate) fn plan(text: &str) -> Vec<ChecklistItem> {
    let mut steps = Vec::new();
    for line in lines(body(text, &["Current Plan", "Plan"]), "").filter(|line| !line.fenced) {
        let Some(item) = item(line.text) else { continue };
        let (status, description) = match checkbox(item.text) {
            Some(('x' | 'X' | '✓' | '✔', rest)) => ("completed", rest),
            Some((' ', rest)) => ("pending", rest),
            Some((_, rest)) => ("in_progress", rest),
            None if item.indent == 0 => ("pending", item.text),
            None => continue,
        };
        if !description.is_empty() {
            steps.push(ChecklistItem::new(description, status));
        }
    }
    steps
}

/// The entries under "Key Decisions", each in one line.
#[must_use]
pub(crate) fn decisions(text: &str) -> Vec<String> {
    entries(body(text, &["Key Decisions", "Decisions"]))
}

/// The entries under "Blockers", each in one line. Entries such as "none" are left out.
#[must_use]
pub(crate) fn blockers(text: &str) -> Vec<String> {
    entries(body(text, &["Blockers"]))
}

fn body<'t>(text: &'t str, names: &[&str]) -> &'t str {
    names.iter().find_map(|name| sections::find(text, name)).map_or("", |section| section.body(text))
}

/// List items, and paragraphs outside of lists. Continuation lines and nested items belong to their item.
fn entries(body: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    let mut open = false;
    for line in lines(body, "").filter(|line| !line.fenced) {
        let text = line.text.trim();
        if text.is_empty() || heading(line.text).is_some() {
            // After an empty line only indented lines continue the item.
            open = false;
            continue;
        }
        let indented = line.text.starts_with([' ', '\t']);
        let (text, joint) = match item(line.text) {
            Some(item) if item.indent > 0 => (item.text, "; "),
            Some(item) => {
                entries.push(item.text.to_owned());
                open = true;
                continue;
            }
            None => (text, " "),
        };
        match entries.last_mut() {
            Some(entry) if open || indented => {
                if !entry.is_empty() {
                    entry.push_str(joint);
                }
                entry.push_str(text);
            }
            _ => entries.push(text.to_owned()),
        }
        open = true;
    }
    entries.retain(|entry| !entry.is_empty() && !says_none(entry));
    entries
}

/// Returns true if an entry means "nothing": "None currently", "No blockers", "N/A". "None of the tests run"
/// tells something.
fn says_none(entry: &str) -> bool {
    const NOTHING: [&str; 7] =
        ["n/a", "na", "nothing", "no blockers", "no decisions", "no issues", "no decisions yet"];
    let plain = entry.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let none = plain.strip_prefix("none").is_some_and(|rest| {
        !rest.starts_with(char::is_alphanumeric) && !rest.trim_start().starts_with("of ")
    });
    plain.is_empty() || none || NOTHING.contains(&plain.as_str())
}
