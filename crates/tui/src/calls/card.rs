//! A call as a few lines: what it is, and a short part of what it gave.

use serde_json::Value;
use throughline_text::group_thousands;

use super::change::{changed_lines, changes, checklist};
use crate::clean::{stripped, visible};
use crate::ink::{BOLD, Color, DIM, Line, PLAIN};
use crate::layout::cut_text;

/// Lines of a change that stay in the scrollback.
const CHANGE_LINES: usize = 40;
/// Lines of a result that are shown: the first ones and the last ones.
const HEAD: usize = 2;
const TAIL: usize = 3;
/// Characters of a line of a result. Longer ones are data.
const RESULT_WIDTH: usize = 400;
/// Lines of a command that are shown.
const COMMAND_LINES: usize = 6;

/// What a call is about: its command, path, pattern or question, on one line.
pub(crate) fn subject(name: &str, input: &Value) -> String {
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let named = match name {
        "shell" => text("command").map(|command| match command.trim().split_once('\n') {
            // All of it is shown below.
            Some((first, _)) => format!("{first} …"),
            None => command.to_owned(),
        }),
        "grep" => text("pattern").map(|pattern| match text("path") {
            Some(path) => format!("{pattern} in {path}"),
            None => pattern.to_owned(),
        }),
        "update_checklist" => Some(String::new()),
        _ => ["path", "command", "url", "query", "pattern", "name", "ref_id", "sql", "job"]
            .into_iter()
            .find_map(text)
            .map(str::to_owned),
    };
    let told = named.unwrap_or_else(|| match input {
        Value::Object(fields) if fields.is_empty() => String::new(),
        Value::Null => String::new(),
        other => other.to_string(),
    });
    visible(&told).replace(['\n', '\t'], " ").trim().to_owned()
}

/// A finished call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Finished<'a> {
    pub(crate) name: &'a str,
    pub(crate) input: &'a Value,
    pub(crate) is_error: bool,
    /// How long it took; may be empty.
    pub(crate) took: &'a str,
    /// The start of what it gave; may be empty.
    pub(crate) result: &'a str,
    /// Bytes of what it gave, when that is kept out of the window.
    pub(crate) stored: Option<u64>,
}

impl Finished<'_> {
    /// Its lines for the scrollback.
    pub(crate) fn lines(&self, columns: usize) -> Vec<Line> {
        let (mark, colour) = if self.is_error { ("✗", Color::Red) } else { ("✓", Color::Green) };
        let figures = self.figures();
        let room = columns.saturating_sub(3 + self.name.len() + 1 + figures.width()).max(8);
        let mut title = Line::styled(mark, PLAIN.fg(colour)).then(" ", PLAIN).then(visible(self.name), BOLD);
        let subject = subject(self.name, self.input);
        if !subject.is_empty() {
            title.add(" ", PLAIN);
        }
        // A command of several lines is shown below; a long one has its end cut here and nowhere else.
        title.add(cut_text(&subject, room), PLAIN);
        title.append(figures);
        std::iter::once(title).chain(self.body().into_iter().map(indented)).collect()
    }

    fn figures(&self) -> Line {
        let mut figures = Line::blank();
        if let Some((plus, minus)) = changed_lines(self.name, self.input) {
            let minus = if minus > 0 { format!(" -{minus}") } else { String::new() };
            figures.add(format!("  +{plus}{minus}"), DIM);
        } else if is_listing(self.name) && !self.is_error && !self.result.is_empty() {
            let count = self.result.lines().count();
            figures.add(format!("  {count} {}", if count == 1 { "line" } else { "lines" }), DIM);
        }
        if let Some(bytes) = self.stored {
            figures.add(format!("  {} bytes kept aside", group_thousands(bytes)), DIM);
        }
        if !self.took.is_empty() {
            figures.add(format!("  {}", self.took), DIM);
        }
        figures
    }

    fn body(&self) -> Vec<Line> {
        if changed_lines(self.name, self.input).is_some() && !self.is_error {
            return bounded(changes(self.name, self.input), CHANGE_LINES);
        }
        if self.name == "update_checklist" && !self.is_error {
            return bounded(checklist(self.input), CHANGE_LINES);
        }
        let mut lines = Vec::new();
        let command = self.input.get("command").and_then(Value::as_str);
        if let Some(command) = command.filter(|command| command.trim().contains('\n')) {
            let all = visible(command).lines().map(|line| Line::styled(line, DIM)).collect();
            lines.extend(bounded(all, COMMAND_LINES));
        }
        if !is_listing(self.name) || self.is_error {
            lines.extend(preview(self.result));
        }
        lines
    }
}

/// Tools whose results are for the model: their size says enough.
fn is_listing(name: &str) -> bool {
    matches!(
        name,
        "read_file" | "list_files" | "glob" | "grep" | "fetch" | "read_result" | "query_db" | "tool_search"
    )
}

/// The first lines, and how many more there are.
pub(crate) fn bounded(mut lines: Vec<Line>, most: usize) -> Vec<Line> {
    let more = lines.len().saturating_sub(most);
    if more > 0 {
        lines.truncate(most);
        lines.push(more_lines(more));
    }
    lines
}

fn more_lines(count: usize) -> Line {
    let word = if count == 1 { "line" } else { "lines" };
    Line::styled(format!("… {count} more {word}"), DIM)
}

/// The start and the end of a result.
fn preview(result: &str) -> Vec<Line> {
    let text = stripped(result);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let line = |text: &&str| Line::styled(cut_text(text, RESULT_WIDTH), DIM);
    let hidden = lines.len().saturating_sub(HEAD + TAIL);
    if hidden <= 1 {
        return lines.iter().map(line).collect();
    }
    let mut shown: Vec<Line> = lines.iter().take(HEAD).map(line).collect();
    shown.push(more_lines(hidden));
    shown.extend(lines.iter().skip(HEAD + hidden).map(line));
    shown
}

fn indented(line: Line) -> Line {
    let mut out = Line::plain("  ");
    out.append(line);
    out.whole()
}
