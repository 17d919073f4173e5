//! The text of a task file: title, goal and checklist.

use crate::checklist::{Item, ItemStatus};
use crate::error::TaskError;
use crate::template::one_line;

/// What the text says.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) title: Option<String>,
    pub(crate) goal: String,
    pub(crate) items: Vec<Item>,
}

/// Name of the section that holds the checklist. Without such a section, items stand anywhere.
const CHECKLIST: &str = "checklist";

/// Reads the text; the lines carry their numbers in the file.
pub(crate) fn read(lines: &[(usize, &str)]) -> Result<Body, TaskError> {
    let parts = parts(lines);
    let title_at =
        parts.iter().position(|part| matches!(part.heading(), Some((1, text)) if !text.is_empty()));
    let title = title_at.and_then(|at| parts.get(at)?.heading()).map(|(_, text)| one_line(text));
    let has_section = parts.iter().any(|part| is_checklist(part.heading()));
    let mut goal = String::new();
    let mut items = Vec::new();
    let mut section = None;
    for (at, part) in parts.iter().enumerate() {
        if let Some((level, _)) = part.heading() {
            // A deeper heading belongs to the section, one of the same level ends it.
            if section.is_none_or(|open| level <= open) {
                section = is_checklist(part.heading()).then_some(level);
            }
        }
        let item = if section.is_some() || !has_section { part.item()? } else { None };
        items.extend(item);
        if section.is_none() && Some(at) != title_at {
            goal.push_str(part.line);
            goal.push('\n');
        }
    }
    Ok(Body { title, goal: goal.trim().to_owned(), items })
}

fn is_checklist(heading: Option<(usize, &str)>) -> bool {
    heading.is_some_and(|(level, text)| level > 1 && text.eq_ignore_ascii_case(CHECKLIST))
}

/// A line, and whether it is in a code block.
struct Part<'a> {
    number: usize,
    line: &'a str,
    code: bool,
}

fn parts<'a>(lines: &[(usize, &'a str)]) -> Vec<Part<'a>> {
    let mut fences = crate::signal::Fences::default();
    lines.iter().map(|&(number, line)| Part { number, line, code: fences.covers(line) }).collect()
}

impl<'a> Part<'a> {
    /// The level of a heading and its text.
    fn heading(&self) -> Option<(usize, &'a str)> {
        let text = self.line.trim_start_matches('#');
        let level = self.line.len() - text.len();
        let is_heading = !self.code && (1..=6).contains(&level) && text.starts_with([' ', '\t']);
        is_heading.then(|| (level, text.trim().trim_end_matches('#').trim_end()))
    }

    /// The item on this line: `- [ ] …`, `* [x] …` or `1. [ ] …`.
    fn item(&self) -> Result<Option<Item>, TaskError> {
        let line = self.line.trim_start();
        let marked = line.strip_prefix(['-', '*', '+']).or_else(|| {
            let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
            (number.len() < line.len()).then(|| number.strip_prefix(['.', ')'])).flatten()
        });
        let boxed =
            marked.filter(|rest| rest.starts_with(' ')).and_then(|rest| rest.trim_start().strip_prefix('['));
        let Some((ticked, text)) = boxed.filter(|_| !self.code).and_then(|rest| rest.split_once(']')) else {
            return Ok(None);
        };
        // `[link](…)` and `[ref]` are no boxes.
        if ticked.chars().count() > 1 || text.starts_with('(') {
            return Ok(None);
        }
        let status = match ticked {
            "x" | "X" => ItemStatus::Completed,
            " " | "" => ItemStatus::Pending,
            other => {
                let what = format!("an item is ticked with {other:?}");
                return Err(TaskError::at(self.number, what, "write `- [ ] …` or `- [x] …`"));
            }
        };
        let text = one_line(text);
        if text.is_empty() {
            return Err(TaskError::at(
                self.number,
                "the item says nothing",
                "write what is to be done, or leave it out",
            ));
        }
        Ok(Some(Item { text, status }))
    }
}
