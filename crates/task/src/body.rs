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
    let mut reading = Reading::default();
    let mut section = None;
    for (at, part) in parts.iter().enumerate() {
        let heading = part.heading();
        if let Some((level, _)) = heading {
            // A deeper heading belongs to the section, one of the same level ends it.
            if section.is_none_or(|open| level <= open) {
                if section.is_some() {
                    reading.end_section();
                }
                section = is_checklist(heading).then_some(level);
                if section.is_some() {
                    continue;
                }
            }
        }
        if Some(at) == title_at {
            continue;
        }
        match section {
            Some(_) => reading.take_listed(part)?,
            None if has_section => reading.add(part.line),
            None => reading.take_mixed(part)?,
        }
    }
    Ok(Body { title, goal: reading.goal.trim().to_owned(), items: reading.items })
}

/// What was read so far.
#[derive(Default)]
struct Reading<'a> {
    goal: String,
    items: Vec<Item>,
    /// The line before is an item, or continues one.
    in_item: bool,
    /// Headings and blank lines of the section that belong to the goal if text follows them.
    waiting: Vec<&'a str>,
}

impl<'a> Reading<'a> {
    fn add(&mut self, line: &str) {
        self.goal.push_str(line);
        self.goal.push('\n');
    }

    /// A line in the section of the checklist: an item, more of the item before, or text of the goal.
    fn take_listed(&mut self, part: &Part<'a>) -> Result<(), TaskError> {
        if self.take_item(part)? {
            // Text behind it is a paragraph of its own.
            self.waiting.push("");
            return Ok(());
        }
        let line = part.line;
        if !part.code && (line.trim().is_empty() || part.heading().is_some()) {
            self.waiting.push(line);
            return Ok(());
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.dedup();
        if self.has_gap() && waiting.first() == Some(&"") {
            waiting.remove(0);
        }
        waiting.into_iter().for_each(|waiting| self.add(waiting));
        self.add(line);
        Ok(())
    }

    /// A line of a file without such a section: all of it is the goal, and its items are the checklist.
    fn take_mixed(&mut self, part: &Part<'a>) -> Result<(), TaskError> {
        self.add(part.line);
        self.take_item(part).map(drop)
    }

    /// Returns true if the line is an item, or an indented line that continues one.
    fn take_item(&mut self, part: &Part<'a>) -> Result<bool, TaskError> {
        if let Some(item) = part.item()? {
            self.items.push(item);
            self.in_item = true;
            return Ok(true);
        }
        let text = one_line(part.line);
        self.in_item &= !part.code && !text.is_empty() && part.line.starts_with([' ', '\t']);
        match self.items.last_mut().filter(|_| self.in_item) {
            Some(item) => {
                item.text.push(' ');
                item.text.push_str(&text);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn end_section(&mut self) {
        self.waiting.clear();
        self.in_item = false;
        if !self.has_gap() {
            self.goal.push('\n');
        }
    }

    /// Returns true if a blank line would be one too many.
    fn has_gap(&self) -> bool {
        self.goal.is_empty() || self.goal.ends_with("\n\n")
    }
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
