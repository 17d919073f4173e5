//! The task file: markdown, with settings between two lines `+++` at its top.

use std::time::Duration;

use crate::body;
use crate::checklist::Item;
use crate::error::TaskError;
use crate::front::{self, Front};
use crate::gate::Gate;
use crate::hat::Hat;

/// The line that begins and ends the settings.
const FENCE: &str = "+++";

/// A parsed task file. `FORMAT.md` documents the format for its authors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFile {
    /// The title, in one line.
    pub title: String,
    /// What is to be reached: the text without its title and without the section of the checklist.
    pub goal: String,
    /// The checklist as the file has it; ticked items are completed.
    pub items: Vec<Item>,
    /// The phases, in order. At least one.
    pub hats: Vec<Hat>,
    /// What has to pass before an end is believed, in order.
    pub gates: Vec<Gate>,
    /// Iterations at most.
    pub max_iterations: u64,
    /// Time of work at most; the time between a stop and the next start does not count.
    pub max_time: Duration,
}

impl TaskFile {
    #[doc = include_str!("../FORMAT.md")]
    ///
    /// # Errors
    /// [`TaskError`] names the first line that is wrong, and what to write there.
    pub fn parse(text: &str) -> Result<Self, TaskError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (front, body) = split(text)?;
        let Front { title, hats, gates, max_iterations, max_time } = front::read(&front)?;
        let body = body::read(&body)?;
        let title = title.or(body.title).ok_or_else(|| {
            let fix = format!("write `title = \"…\"` between two lines `{FENCE}`, or begin with `# Title`");
            TaskError::at(1, "the task has no title", fix)
        })?;
        if body.goal.is_empty() && body.items.is_empty() {
            let line = text.lines().count().max(1);
            return Err(TaskError::at(
                line,
                "nothing is to be done",
                "write the goal, or items as `- [ ] …`",
            ));
        }
        Ok(Self { title, goal: body.goal, items: body.items, hats, gates, max_iterations, max_time })
    }

    /// The hat of this name, whatever its letters' case.
    #[must_use]
    pub fn hat(&self, name: &str) -> Option<&Hat> {
        self.hats.iter().find(|hat| hat.name.eq_ignore_ascii_case(name))
    }

    /// The hat that comes after the one of this name; `None` after the last.
    pub(crate) fn hat_after(&self, name: &str) -> Option<&Hat> {
        let mut hats = self.hats.iter().skip_while(|hat| hat.name != name);
        hats.next();
        hats.next()
    }
}

/// Parts of the file, each line with its number.
type Lines<'a> = Vec<(usize, &'a str)>;

/// The settings and the text below them.
fn split(text: &str) -> Result<(Lines<'_>, Lines<'_>), TaskError> {
    let lines = || text.lines().enumerate().map(|(index, line)| (index + 1, line));
    if lines().next().is_none_or(|(_, line)| line.trim_end() != FENCE) {
        return Ok((Vec::new(), lines().collect()));
    }
    let end = lines().skip(1).find(|(_, line)| line.trim_end() == FENCE).map(|(number, _)| number);
    let end = end.ok_or_else(|| {
        TaskError::at(
            1,
            format!("the settings begin with `{FENCE}` and never end"),
            format!("end them with `{FENCE}`"),
        )
    })?;
    let settings = lines().filter(|(number, _)| *number > 1 && *number < end).collect();
    Ok((settings, lines().filter(|(number, _)| *number > end).collect()))
}

#[cfg(test)]
mod tests;
