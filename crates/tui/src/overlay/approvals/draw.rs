//! Draws the first question.

use throughline_permission::ApprovalRequest;

use super::answers::{Answer, Reach, path_line, question, rows};
use super::{Approvals, Moment, Question};
use crate::calls::{asked_title, bounded, changes_in, path};
use crate::clean::one_row;
use crate::layout::{break_at_width, wrap_hanging};
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::live::Live;
use crate::palette::WAIT;

/// Rows from which what is different is set apart by empty rows.
const ROOMY: usize = 12;
/// Rows of a call of which all was printed.
const PRINTED_ROWS: usize = 4;
/// Column of what is asked about.
const BODY: &str = "    ";

impl Approvals {
    /// The first question in up to this many rows.
    pub(in crate::overlay) fn draw(&self, columns: usize, rows: usize, moment: Moment) -> Live {
        let Some(asked) = self.waiting.front() else { return Live::default() };
        let (foot, cursor) = self.foot(asked, columns, moment);
        let mut subject = subject(asked, columns);
        let most = if asked.printed { PRINTED_ROWS } else { rows };
        let fits = foot.len() + subject.len().min(most) + 2 <= rows;
        let apart = usize::from(rows >= ROOMY && (fits || subject.len() > rows));
        let room = rows.saturating_sub(foot.len() + 2 * apart).clamp(1, most.max(1));
        let mut lines = vec![Line::blank(); apart];
        if subject.len() > room {
            // The mark takes a row.
            subject = bounded(subject, room.saturating_sub(1), BODY.len());
            if let Some(last) = subject.last_mut() {
                last.add(if asked.printed { ", printed above" } else { " (v shows all)" }, DIM);
            }
        }
        lines.extend(subject);
        lines.extend(std::iter::repeat_n(Line::blank(), apart));
        lines.extend(foot);
        let bottom = lines.len();
        let cursor = cursor.map(|(up, column)| (bottom.saturating_sub(1 + up), column));
        Live { lines, cursor }
    }

    /// The question and its answers, or the text that is typed, with the place of the cursor.
    fn foot(&self, asked: &Question, columns: usize, moment: Moment) -> (Vec<Line>, Option<(usize, usize)>) {
        let ApprovalRequest { call, why, rule, access: _ } = &asked.request;
        let mut line = Line::plain("  ").then(question(&call.name), BOLD.fg(WAIT));
        let mut facts = vec![reason(&call.name, why)];
        facts.extend((self.waiting.len() > 1).then(|| format!("{} more wait", self.waiting.len() - 1)));
        facts.retain(|fact| !fact.trim().is_empty());
        if !facts.is_empty() {
            line.add(format!("  {}", facts.join(" · ")), DIM);
        }
        let indent = Line::plain("  ");
        let mut foot = wrap_hanging(&Line::blank(), &indent, &line, columns);
        foot.truncate(3);
        if let Some(typed) = &self.typed {
            let typed = typed.lines(columns);
            foot.extend(typed.lines);
            return (foot, Some(typed.cursor));
        }
        let answers = self.answers();
        let chosen = answers.get(self.chosen).copied().unwrap_or(Answer::Once);
        foot.extend(rows(&answers, rule.as_deref(), chosen, self.reach(moment), columns));
        (foot, None)
    }

    /// Which keys are for the question.
    fn reach(&self, moment: Moment) -> Reach {
        if self.leaves_keys_to_draft(moment) {
            Reach::Arrows
        } else if self.is_shielded(moment) {
            Reach::None
        } else {
            Reach::All
        }
    }
}

/// Why it is asked, where that says more than the question.
fn reason(name: &str, why: &str) -> String {
    let why = one_row(why);
    match name {
        "edit_file" | "multi_edit" | "write_file" if why == "it changes a file" => {
            "undo with /undo".to_owned()
        }
        _ => why,
    }
}

/// What is asked about: the title, and all of what the call would change or run.
fn subject(asked: &Question, columns: usize) -> Vec<Line> {
    let call = &asked.request.call;
    let mark = Line::plain("  ").then("? ", BOLD.fg(WAIT));
    let mut body = changes_in(asked.excerpt.as_deref(), &call.name, &call.input).into_iter();
    let path = path(&call.input);
    let mut lines = Vec::new();
    if path.is_none() && call.name == "shell" {
        let mut first = Line::styled("$ ", BOLD);
        first.append(body.next().unwrap_or_default());
        let next = Line::plain("      ");
        for (index, piece) in break_at_width(&first, columns.saturating_sub(6)).into_iter().enumerate() {
            let mut line = if index == 0 { mark.clone() } else { next.clone() };
            line.append(piece);
            lines.push(line);
        }
    } else {
        let place = asked.excerpt.as_deref().and_then(crate::port::EditExcerpt::first_changed_line);
        let shown = match (&path, place) {
            (Some(path), Some(place)) => format!("{path}:{place}"),
            (path, _) => path.clone().unwrap_or_default(),
        };
        let (title, is_whole) = asked_title(&call.name, &shown, &call.input, columns.saturating_sub(4));
        let mut line = mark;
        line.append(title);
        lines.push(line);
        lines.extend(
            path.filter(|_| !is_whole).map(path_line).into_iter().flat_map(|line| body_rows(&line, columns)),
        );
    }
    lines.extend(body.flat_map(|line| body_rows(&line, columns)));
    lines
}

fn body_rows(line: &Line, columns: usize) -> Vec<Line> {
    let indented = |line| {
        let mut out = Line::styled(BODY, PLAIN);
        out.append(line);
        out
    };
    break_at_width(line, columns.saturating_sub(BODY.len()).max(1)).into_iter().map(indented).collect()
}
