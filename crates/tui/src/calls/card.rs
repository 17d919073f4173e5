//! A call as a few lines: what it is, and a short part of what it gave.

use serde_json::Value;

use super::change::{changed_lines, changes, checklist};
use crate::clean::{stripped, visible};
use crate::ink::{BOLD, Colour, DIM, Line, PLAIN, Style};
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

/// A finished call for the scrollback.
pub(crate) fn finished(
    name: &str,
    input: &Value,
    is_error: bool,
    took: &str,
    result: &str,
    columns: usize,
) -> Vec<Line> {
    let (mark, colour) = if is_error { ("✗", Colour::Red) } else { ("✓", Colour::Green) };
    let mut lines = Vec::new();
    let mut tail = Line::blank();
    if let Some((plus, minus)) = changed_lines(name, input) {
        tail.add(if minus > 0 { format!("  +{plus} -{minus}") } else { format!("  +{plus}") }, DIM);
    } else if is_listing(name) && !is_error && !result.is_empty() {
        let count = result.lines().count();
        tail.add(format!("  {count} {}", if count == 1 { "line" } else { "lines" }), DIM);
    }
    if !took.is_empty() {
        tail.add(format!("  {took}"), DIM);
    }
    let full = subject(name, input);
    let room = columns.saturating_sub(3 + name.len() + 1 + tail.width()).max(8);
    let mut title = Line::styled(mark, Style::of(colour)).then(" ", PLAIN).then(visible(name), BOLD);
    if !full.is_empty() {
        title.add(" ", PLAIN);
    }
    // A command of several lines is shown below; a long one has its end cut here and nowhere else.
    title.add(cut_text(&full, room), PLAIN);
    title.append(tail);
    lines.push(title);
    let body = body(name, input, is_error, result);
    lines.extend(body.into_iter().map(indented));
    lines
}

fn body(name: &str, input: &Value, is_error: bool, result: &str) -> Vec<Line> {
    if changed_lines(name, input).is_some() && !is_error {
        return bounded(changes(name, input), CHANGE_LINES);
    }
    let items = if name == "update_checklist" && !is_error { checklist(input) } else { Vec::new() };
    if !items.is_empty() {
        return bounded(items, CHANGE_LINES);
    }
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let mut lines = Vec::new();
    if let Some(command) = text("command").filter(|command| command.trim().contains('\n')) {
        let command = visible(command);
        lines.extend(bounded(command.lines().map(|line| Line::styled(line, DIM)).collect(), COMMAND_LINES));
    }
    if !is_listing(name) || is_error {
        lines.extend(preview(result));
    }
    lines
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
