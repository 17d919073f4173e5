//! Renders a finished call: its title, with its figures, and what it changed or gave.

use serde_json::Value;
use throughline_text::counted;

use super::change::{changed_lines, changes_in, size_of_change};
use super::output::CallOutput;
use super::todo::{CHECKLIST, todo_items, todo_summary};
use super::verb::{only_reads, subject, verb};
use crate::clean::visible;
use crate::excerpt::ResultExcerpt;
use crate::layout::{cut_text, width, wrap_hanging};
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::palette::{BAD, GOOD};
use crate::port::EditExcerpt;

/// Maximum lines of a change in the scrollback.
const CHANGE_LINES: usize = 24;
/// Maximum lines of a written file: the start tells which one it is.
const WRITTEN_LINES: usize = 6;
/// Maximum lines of a command.
const COMMAND_LINES: usize = 6;

/// Column of the marks of calls.
pub(super) const MARK: &str = "  ";
/// Column of their bodies.
pub(super) const BODY: &str = "    ";

/// A finished call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FinishedCall<'a> {
    pub(crate) name: &'a str,
    pub(crate) input: &'a Value,
    pub(crate) is_error: bool,
    /// Its duration; may be empty.
    pub(crate) took: &'a str,
    /// Its result; may be empty.
    pub(crate) result: &'a ResultExcerpt,
    /// Size of the full result if it was offloaded.
    pub(crate) stored: Option<u64>,
    /// What it changed, in its place in the file, if that is known.
    pub(crate) excerpt: Option<&'a EditExcerpt>,
}

impl FinishedCall<'_> {
    /// Its lines for the scrollback. `whole`: nothing of its input and result is left out.
    pub(crate) fn lines(&self, columns: usize, whole: bool) -> Vec<Line> {
        let output = CallOutput::of(self.result, self.is_command());
        let body = self.body(&output, columns, whole);
        let is_short = !whole && body.is_none();
        std::iter::once(self.title(&output, is_short, columns, whole))
            .chain(body.unwrap_or_default())
            .collect()
    }

    fn is_command(&self) -> bool {
        matches!(self.name, "shell" | "shell_output" | "shell_stop")
    }

    fn title(&self, output: &CallOutput, is_short: bool, columns: usize, whole: bool) -> Line {
        let (mark, colour) = if self.is_error { ("✗ ", BAD) } else { ("✓ ", GOOD) };
        let mut title = Line::plain(MARK).then(mark, PLAIN.fg(colour)).then(verb(self.name), BOLD);
        let facts = self.facts(output, is_short, columns / 2);
        let subject = self.subject();
        if !subject.is_empty() {
            title.add(" ", PLAIN);
        }
        let room = columns.saturating_sub(title.width() + facts.width()).max(8);
        // A command of several lines is shown below; a long one has its end cut here and nowhere else.
        title.add(if whole { subject } else { cut_text(&subject, room) }, PLAIN);
        title.append(facts);
        title
    }

    fn subject(&self) -> String {
        if self.name == CHECKLIST {
            return if self.is_error { String::new() } else { todo_summary(&todo_items(self.input)).0 };
        }
        let subject = subject(self.name, self.input);
        match self.excerpt.and_then(EditExcerpt::first_changed_line) {
            Some(line) if !self.is_error => format!("{subject}:{line}"),
            _ => subject,
        }
    }

    /// What is to be known of it: how it ended, how much it gave, and how long it took.
    fn facts(&self, output: &CallOutput, is_short: bool, room: usize) -> Line {
        let mut facts: Vec<Line> = Vec::new();
        if let Some(ending) = &output.ending {
            facts.push(Line::styled(ending, BOLD.fg(BAD)));
        } else if !self.is_error {
            facts.extend(self.size_of_result(output));
        }
        if !only_reads(self.name)
            && is_short
            && let Some(only) = output.title(room)
        {
            facts.push(Line::styled(only, DIM));
        } else if self.has_hidden_lines(output) {
            facts.push(Line::styled(counted(output.count() as u64, "line"), DIM));
        }
        let stored = if self.has_hidden_lines(output) { "" } else { " stored" };
        let more = self.stored.map(|bytes| size(bytes) + stored).into_iter().chain([self.took.to_owned()]);
        facts.extend(more.filter(|text| !text.is_empty()).map(|text| Line::styled(text, DIM)));
        let mut line = Line::blank();
        for (index, fact) in facts.into_iter().enumerate() {
            line.add(if index == 0 { "  " } else { " · " }, DIM);
            line.append(fact);
        }
        line
    }

    fn size_of_result(&self, output: &CallOutput) -> Option<Line> {
        if let Some(size) = size_of_change(self.excerpt, self.name, self.input) {
            return Some(size);
        }
        if self.name == CHECKLIST {
            return Some(Line::styled(todo_summary(&todo_items(self.input)).1, DIM));
        }
        let thing = if self.name == "grep" { "match" } else { "line" };
        let count = (only_reads(self.name) && !self.result.is_empty()).then(|| output.count_listed())?;
        Some(Line::styled(counted(count as u64, thing), DIM))
    }

    fn has_hidden_lines(&self, output: &CallOutput) -> bool {
        let shows = self.is_error || (!only_reads(self.name) && !self.shows_input());
        shows && output.shown(self.is_error).0 > 0
    }

    /// Returns true if it is shown by what it changed or wrote, not by its result.
    fn shows_input(&self) -> bool {
        !self.is_error
            && (changed_lines(self.excerpt, self.name, self.input).is_some() || self.name == CHECKLIST)
    }

    /// What stands below the title. `None`: nothing; a short result is in the title.
    fn body(&self, output: &CallOutput, columns: usize, whole: bool) -> Option<Vec<Line>> {
        if self.shows_input() {
            return Some(self.changed(whole));
        }
        let mut lines = Vec::new();
        let command = self.input.get("command").and_then(Value::as_str);
        if let Some(command) = command.filter(|command| command.trim().contains('\n')) {
            let all = visible(command).lines().map(|line| indented(Line::styled(line, DIM))).collect();
            lines.extend(if whole { all } else { bounded(all, COMMAND_LINES, BODY.len()) });
        }
        let is_short = !self.is_error && lines.is_empty() && output.title(columns / 2).is_some();
        if !whole && is_short {
            return None;
        }
        if whole || self.is_error || !only_reads(self.name) {
            let start = Line::plain(BODY);
            let (left_out, shown) = if whole { (0, output.whole()) } else { output.shown(self.is_error) };
            lines.extend((left_out > 0).then(|| self.left_out(left_out)));
            lines.extend(shown.iter().flat_map(|line| wrap_hanging(&start, &start, line, columns)));
        }
        Some(lines)
    }

    fn left_out(&self, count: usize) -> Line {
        let stored = if self.stored.is_some() { " · stored in full" } else { "" };
        Line::styled(format!("{BODY}⋯ {} · ctrl+o shows all{stored}", counted(count as u64, "line")), DIM)
    }

    fn changed(&self, whole: bool) -> Vec<Line> {
        if self.name == CHECKLIST {
            let items = todo_items(self.input);
            return if whole { items.iter().map(|item| indented(item.line())).collect() } else { Vec::new() };
        }
        let most = if self.name == "write_file" { WRITTEN_LINES } else { CHANGE_LINES };
        let all = changes_in(self.excerpt, self.name, self.input).into_iter().map(indented).collect();
        if whole { all } else { bounded(all, most, BODY.len()) }
    }
}

/// Up to `maximum` lines, and how many more there are.
pub(crate) fn bounded(mut lines: Vec<Line>, maximum: usize, indent: usize) -> Vec<Line> {
    let more = lines.len().saturating_sub(maximum);
    // A mark in place of one line would hide it for nothing.
    if more > 1 || (more == 1 && maximum == 0) {
        lines.truncate(maximum);
        lines.push(Line::styled(format!("{:indent$}⋯ {}", "", counted(more as u64, "more line")), DIM));
    }
    lines
}

/// A size for the user: `840 bytes`, `44 KB`, `2.1 MB`.
fn size(bytes: u64) -> String {
    const KB: u64 = 1_024;
    match bytes {
        0..KB => format!("{bytes} bytes"),
        KB..1_048_064 => format!("{} KB", (bytes + KB / 2) / KB),
        _ => format!("{:.1} MB", bytes as f64 / (KB * KB) as f64),
    }
}

fn indented(line: Line) -> Line {
    if line.is_empty() {
        return line.whole();
    }
    let mut out = Line::plain(BODY);
    out.append(line);
    out.whole()
}

/// The title of a call that is asked about: its verb, its subject and the size of its change. Returns whether the subject is whole.
pub(crate) fn asked_title(name: &str, subject: &str, size: Option<Line>, columns: usize) -> (Line, bool) {
    let mut title = Line::styled(verb(name), BOLD);
    let room = columns.saturating_sub(title.width() + 1 + size.as_ref().map_or(0, |size| size.width() + 2));
    let is_whole = width(subject) <= room;
    if !subject.is_empty() {
        title.add(format!(" {}", crate::layout::cut_middle(subject, room)), PLAIN);
    }
    if let Some(size) = size {
        title.add("  ", PLAIN);
        title.append(size);
    }
    (title, is_whole)
}
