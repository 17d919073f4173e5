//! Draws the first question.

use throughline_tools::ElicitationRequest;

use super::field::{ChoiceRow, Entry, FieldInput};
use super::{Forms, Moment, ServerQuestion};
use crate::calls::bounded;
use crate::clean::{one_row, visible};
use crate::layout::{cut, wrap_hanging};
use crate::line::{BOLD, CHOSEN, DIM, Line, PLAIN};
use crate::live::Live;
use crate::palette::{BAD, WAIT};

/// Rows from which the parts are set apart by empty rows.
const ROOMY: usize = 12;
/// Column of what is asked.
const BODY: &str = "    ";

impl Forms {
    /// The first question in up to this many rows.
    pub(in crate::overlay) fn draw(&self, columns: usize, rows: usize, moment: Moment) -> Live {
        let Some(question) = self.waiting.front() else { return Live::default() };
        let shielded = self.is_shielded(moment);
        let apart = usize::from(rows >= ROOMY);
        let mut part = match question.fields.get(question.step) {
            Some(field) => entry(field, columns, rows / 2, shielded),
            None => review(question, columns),
        };
        part.lines.extend(if self.leaves_keys_to_draft(moment) {
            body(&Line::styled("up or down to answer · ctrl+c stops the turn", DIM), columns)
        } else {
            keys(question, self.waiting.len(), columns)
        });
        let room = rows.saturating_sub(part.lines.len() + 2 * apart + 1).max(1);
        let mut live = Live::default();
        live.extend((apart > 0).then(Line::blank));
        live.extend([title(question)]);
        live.extend(bounded(message(question, columns), room, BODY.len()));
        live.extend((apart > 0).then(Line::blank));
        live.append(part);
        live
    }
}

fn title(question: &ServerQuestion) -> Line {
    let asks = match &question.elicitation.request {
        ElicitationRequest::Form(_) => "asks you",
        ElicitationRequest::Page { .. } => "asks you to open a page",
    };
    let server = visible(&question.elicitation.server);
    let mut line =
        Line::plain("  ").then("? ", BOLD.fg(WAIT)).then(format!("{server} {asks}"), BOLD.fg(WAIT));
    let (step, all) = (question.step + 1, question.fields.len());
    if all > 1 && step <= all {
        line.add(format!("  {step} of {all}"), DIM);
    }
    line
}

/// The words of the server, and all of an address.
fn message(question: &ServerQuestion, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for text in visible(&question.elicitation.message).trim().lines() {
        lines.extend(body(&Line::plain(text), columns));
    }
    if let ElicitationRequest::Page { url } = &question.elicitation.request {
        lines.push(Line::blank());
        lines.extend(body(&Line::styled(url, BOLD), columns));
    }
    lines
}

fn body(line: &Line, columns: usize) -> Vec<Line> {
    let indent = Line::plain(BODY);
    wrap_hanging(&indent, &indent, line, columns)
}

/// The field that is filled in.
fn entry(input: &FieldInput, columns: usize, room: usize, shielded: bool) -> Live {
    let field = &input.field;
    let mut head = Line::styled(one_row(&field.title), BOLD);
    if field.required {
        head.add(" *", PLAIN.fg(WAIT));
    }
    if !field.description.is_empty() {
        head.add(format!("  {}", one_row(&field.description)), DIM);
    }
    let mut part = Live { lines: body(&head, columns), cursor: None };
    match &input.entry {
        Entry::Typed(editor) => {
            let place = editor.rows(columns.saturating_sub(BODY.len() + 2).max(2));
            for (index, row) in place.rows.iter().enumerate() {
                let mark = if index == 0 { "› " } else { "  " };
                if index == place.row && !shielded {
                    part.cursor = Some((part.lines.len(), BODY.len() + 2 + place.column));
                }
                part.lines.push(Line::plain(BODY).then(mark, DIM).then(row, PLAIN));
            }
        }
        Entry::Row { rows, at } => part.lines.extend(choices(rows, *at, room, columns, |_| "")),
        Entry::Marked { rows, at, marked } => {
            let mark = |row: usize| if marked.contains(&row) { "[x] " } else { "[ ] " };
            part.lines.extend(choices(rows, *at, room, columns, mark));
        }
    }
    if let Some(fault) = &input.fault {
        part.lines.extend(body(&Line::styled(fault, PLAIN.fg(BAD)), columns));
    }
    part
}

/// The rows around the one on which the user is.
fn choices(
    rows: &[ChoiceRow],
    at: usize,
    room: usize,
    columns: usize,
    mark: impl Fn(usize) -> &'static str,
) -> Vec<Line> {
    let room = room.max(1);
    let from = at.saturating_sub(room / 2).min(rows.len().saturating_sub(room));
    let shown = rows.iter().enumerate().skip(from).take(room);
    let line = |(index, row): (usize, &ChoiceRow)| {
        let (pointer, style) = if index == at { ("› ", CHOSEN) } else { ("  ", PLAIN) };
        let title = one_row(&row.title);
        let line = Line::styled(format!("{}  {}{title}", index + 1, mark(index)), style);
        let mut whole = Line::plain("  ").then(pointer, PLAIN);
        whole.append(line);
        cut(&whole, columns)
    };
    shown.map(line).collect()
}

/// All that is sent.
fn review(question: &ServerQuestion, columns: usize) -> Live {
    let mut lines = Vec::new();
    for field in &question.fields {
        let value = field.shown();
        let style = if value.is_some() { PLAIN } else { DIM };
        let title = one_row(&field.field.title);
        let value = value.unwrap_or_else(|| "left out".to_owned());
        let line = Line::styled(format!("{title}: "), DIM).then(one_row(&value), style);
        lines.extend(body(&line, columns));
    }
    Live { lines, cursor: None }
}

/// What the keys do.
fn keys(question: &ServerQuestion, waiting: usize, columns: usize) -> Vec<Line> {
    let last = question.fields.len() == 1;
    let enter = match (question.fields.get(question.step), &question.elicitation.request) {
        (Some(_), _) if last => "enter sends it",
        (Some(_), _) => "enter next",
        (None, ElicitationRequest::Form(_)) => "enter sends this · n declines",
        (None, ElicitationRequest::Page { .. }) => "enter opens it in the browser · n declines",
    };
    let marks = match question.fields.get(question.step).map(|field| &field.entry) {
        Some(Entry::Marked { .. }) => "space marks · ",
        _ => "",
    };
    let escape = if question.step == 0 { "esc declines" } else { "esc back" };
    let mut text = format!("{marks}{enter} · {escape} · ctrl+c stops the turn");
    if waiting > 1 {
        text.push_str(&format!(" · {} more wait", waiting - 1));
    }
    body(&Line::styled(text, DIM), columns)
}
