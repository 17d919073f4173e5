//! Renders a finished call: its title and a short preview of its result.

use serde_json::Value;

use super::change::{CHECKLIST, changed_lines, changes, checklist};
use crate::clean::{overwritten, visible};
use crate::excerpt::ResultExcerpt;
use crate::layout::{cut_text, wrap_hanging};
use crate::line::{BOLD, Color, DIM, Line, PLAIN};

/// Maximum lines of a change in the scrollback.
const CHANGE_LINES: usize = 40;
/// Maximum lines of a written file: the start tells which one it is.
const WRITTEN_LINES: usize = 10;
/// Lines that are shown at the start and at the end of a result.
const HEAD: usize = 2;
const TAIL: usize = 3;
/// Maximum columns of a line of a result.
const RESULT_WIDTH: usize = 400;
/// Maximum lines of a command.
const COMMAND_LINES: usize = 6;

/// The subject of a call: its command, path, pattern or question, on one line.
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
        CHECKLIST => Some(String::new()),
        _ => ["path", "command", "url", "query", "pattern", "name", "ref_id", "sql", "job"]
            .into_iter()
            .find_map(text)
            .map(str::to_owned),
    };
    let text = named.unwrap_or_else(|| match input {
        Value::Object(fields) if fields.is_empty() => String::new(),
        Value::Null => String::new(),
        other => other.to_string(),
    });
    visible(&text).replace(['\n', '\t'], " ").trim().to_owned()
}

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
}

impl FinishedCall<'_> {
    /// Its lines for the scrollback. `whole`: nothing of its input and result is left out.
    pub(crate) fn lines(&self, columns: usize, whole: bool) -> Vec<Line> {
        let (mark, colour) = if self.is_error { ("✗", Color::Red) } else { ("✓", Color::Green) };
        let figures = self.figures();
        let room = columns.saturating_sub(3 + self.name.len() + 1 + figures.width()).max(8);
        let mut title = Line::styled(mark, PLAIN.fg(colour)).then(" ", PLAIN).then(visible(self.name), BOLD);
        let subject = subject(self.name, self.input);
        if !subject.is_empty() {
            title.add(" ", PLAIN);
        }
        // A command of several lines is shown below; a long one has its end cut here and nowhere else.
        if whole {
            title.add(subject, PLAIN);
        } else {
            title.add(cut_text(&subject, room), PLAIN);
        }
        title.append(figures);
        std::iter::once(title).chain(self.body(columns, whole)).collect()
    }

    fn figures(&self) -> Line {
        let mut figures = Line::blank();
        if let Some((plus, minus)) = changed_lines(self.name, self.input).filter(|_| !self.is_error) {
            let minus = if minus > 0 { format!(" -{minus}") } else { String::new() };
            figures.add(format!("  +{plus}{minus}"), DIM);
        } else if is_listing(self.name) && !self.is_error && !self.result.is_empty() {
            // The last line may say where the file ends.
            let is_end = |line: &&str| line.starts_with('[') && line.ends_with(']');
            let ResultExcerpt { head, left_out, tail } = self.result;
            let last = tail.lines().last().or_else(|| head.lines().last());
            let all = head.lines().count() + left_out + tail.lines().count();
            let count = all - usize::from(last.as_ref().is_some_and(is_end));
            figures.add(format!("  {count} {}", if count == 1 { "line" } else { "lines" }), DIM);
        }
        if let Some(bytes) = self.stored {
            figures.add(format!("  {}, full output saved", size(bytes)), DIM);
        }
        if !self.took.is_empty() {
            figures.add(format!("  {}", self.took), DIM);
        }
        figures
    }

    fn body(&self, columns: usize, whole: bool) -> Vec<Line> {
        let bounded = |lines, maximum| if whole { lines } else { bounded(lines, maximum) };
        let in_one_piece = |lines: Vec<Line>| lines.into_iter().map(indented).collect();
        if changed_lines(self.name, self.input).is_some() && !self.is_error {
            let most = if self.name == "write_file" { WRITTEN_LINES } else { CHANGE_LINES };
            return in_one_piece(bounded(changes(self.name, self.input), most));
        }
        if self.name == CHECKLIST && !self.is_error {
            return in_one_piece(bounded(checklist(self.input), CHANGE_LINES));
        }
        let mut lines = Vec::new();
        let command = self.input.get("command").and_then(Value::as_str);
        if let Some(command) = command.filter(|command| command.trim().contains('\n')) {
            let all = visible(command).lines().map(|line| Line::styled(line, DIM)).collect();
            lines.extend(in_one_piece(bounded(all, COMMAND_LINES)));
        }
        if whole || !is_listing(self.name) || self.is_error {
            let start = Line::plain("  ");
            lines.extend(
                preview(self.result, whole)
                    .iter()
                    .flat_map(|line| wrap_hanging(&start, &start, line, columns)),
            );
        }
        lines
    }
}

/// Returns true for tools whose results are shown as a line count.
fn is_listing(name: &str) -> bool {
    matches!(
        name,
        "read_file" | "list_files" | "glob" | "grep" | "fetch" | "read_result" | "query_db" | "tool_search"
    )
}

/// Up to `maximum` lines, and how many more there are.
pub(crate) fn bounded(mut lines: Vec<Line>, maximum: usize) -> Vec<Line> {
    let more = lines.len().saturating_sub(maximum);
    if more > 0 {
        lines.truncate(maximum);
        lines.push(more_lines(more));
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

fn more_lines(count: usize) -> Line {
    let word = if count == 1 { "line" } else { "lines" };
    Line::styled(format!("… {count} more {word}"), DIM)
}

/// The start and the end of a result, or all lines of it.
fn preview(result: &ResultExcerpt, whole: bool) -> Vec<Line> {
    let (head, tail) = (overwritten(&result.head), overwritten(&result.tail));
    let lines: Vec<&str> = head.trim_end().lines().chain(tail.trim_end().lines()).collect();
    let line = |text: &&str| match whole {
        true => Line::styled(text, DIM),
        false => Line::styled(cut_text(text, RESULT_WIDTH), DIM),
    };
    let hidden = lines.len().saturating_sub(HEAD + TAIL);
    if (whole || hidden <= 1) && result.left_out == 0 {
        return lines.iter().map(line).collect();
    }
    let mut shown: Vec<Line> = lines.iter().take(HEAD).map(line).collect();
    shown.push(more_lines(hidden + result.left_out));
    shown.extend(lines.iter().skip(HEAD + hidden).map(line));
    shown
}

fn indented(line: Line) -> Line {
    let mut out = Line::plain("  ");
    out.append(line);
    out.whole()
}
