//! Draws the first question.

use throughline_permission::ApprovalRequest;
use throughline_text::counted;

use super::answers::{Answer, Reach, path_line, question, rows};
use super::{Approvals, Moment, Question};
use crate::calls::{asked_title, changes_in, path, size_of_change};
use crate::clean::one_row;
use crate::layout::{break_at_width, cut, width, wrap_hanging};
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::live::Live;
use crate::palette::WAIT;

/// Rows from which what is different is set apart by empty rows.
const ROOMY: usize = 12;
/// Rows of a call of which all was printed.
const PRINTED_ROWS: usize = 4;
/// Rows of a call for which the reason and the answers become shorter: its title, a line of what it would change, and how much more
/// there is.
const LEAST_ROWS: usize = 3;
/// Column of what is asked about.
const BODY: &str = "    ";

impl Approvals {
    /// The first question in up to this many rows.
    pub(in crate::overlay) fn draw(&self, columns: usize, rows: usize, moment: Moment) -> Live {
        let Some(asked) = self.waiting.front() else { return Live::default() };
        let mut subject = subject(asked, columns);
        let most = match asked.printed {
            true if rows < ROOMY => 1,
            true => PRINTED_ROWS,
            false => rows,
        };
        let room = rows.saturating_sub(subject.len().min(most).min(LEAST_ROWS));
        let (foot, cursor) = self.foot(asked, columns, room, moment);
        let fits = foot.len() + subject.len().min(most) + 2 <= rows;
        let apart = usize::from(rows >= ROOMY && (fits || subject.len() > rows));
        let room = rows.saturating_sub(foot.len() + 2 * apart).clamp(1, most.max(1));
        let mut lines = vec![Line::blank(); apart];
        if subject.len() > room {
            subject = shortened(subject, room, asked.printed, columns);
        }
        lines.extend(subject.into_iter().map(|row| row.line));
        lines.extend(std::iter::repeat_n(Line::blank(), apart));
        lines.extend(foot);
        let bottom = lines.len();
        let cursor = cursor.map(|(up, column)| (bottom.saturating_sub(1 + up), column));
        Live { lines, cursor }
    }

    /// The question and its answers, or the text that is typed, with the place of the cursor. Where they need more than `room` rows,
    /// the reason is one row, and then the answers that are used least and the question are left out.
    fn foot(
        &self,
        asked: &Question,
        columns: usize,
        room: usize,
        moment: Moment,
    ) -> (Vec<Line>, Option<(usize, usize)>) {
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
        let short = cut(&line, columns);
        if let Some(typed) = &self.typed {
            let typed = typed.lines(columns);
            if foot.len() + typed.lines.len() > room {
                foot = vec![short];
            }
            foot.extend(typed.lines);
            return (foot, Some(typed.cursor));
        }
        let answers = self.answers();
        let chosen = answers.get(self.chosen).copied().unwrap_or(Answer::Once);
        let shown = |answers: &[Answer]| rows(answers, rule.as_deref(), chosen, self.reach(moment), columns);
        let mut below = shown(&answers);
        if foot.len() + below.len() > room {
            foot = vec![short];
        }
        if foot.len() + below.len() > room {
            let most = |answer: &Answer| !answer.is_rare() || *answer == chosen;
            below = shown(&answers.into_iter().filter(most).collect::<Vec<_>>());
        }
        // The title says it, too.
        if foot.len() + below.len() > room {
            foot.clear();
        }
        foot.extend(below);
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

/// A row of what is asked about.
struct SubjectRow {
    line: Line,
    /// It begins a line of the call; `false`: it continues the row above.
    begins: bool,
}

/// The first rows, of which one says how many more lines there are. The title is always one of them.
fn shortened(mut subject: Vec<SubjectRow>, room: usize, printed: bool, columns: usize) -> Vec<SubjectRow> {
    let kept = room.saturating_sub(1).max(1);
    let hidden = subject.split_off(kept.min(subject.len()));
    let is_cut = hidden.first().is_some_and(|row| !row.begins);
    let count = hidden.iter().filter(|row| row.begins).count() + usize::from(is_cut);
    if room > 1 {
        let where_all = if printed { ", printed above" } else { " (v shows all)" };
        let mark = format!("⋯ {}{where_all}", counted(count as u64, "more line"));
        subject.push(SubjectRow { line: Line::styled(format!("{BODY}{mark}"), DIM), begins: true });
    } else if let Some(title) = subject.first_mut() {
        let mark = format!("⋯ {count} more{}", if printed { ", above" } else { " (v)" });
        let start = cut(&title.line, columns.saturating_sub(width(&mark) + 1));
        title.line = start.then(format!(" {mark}"), DIM);
    }
    subject
}

/// What is asked about: the title, and all of what the call would change or run.
fn subject(asked: &Question, columns: usize) -> Vec<SubjectRow> {
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
            lines.push(SubjectRow { line, begins: index == 0 });
        }
    } else {
        let place = asked.excerpt.as_deref().and_then(crate::port::EditExcerpt::first_changed_line);
        let shown = match (&path, place) {
            (Some(path), Some(place)) => format!("{path}:{place}"),
            (path, _) => path.clone().unwrap_or_default(),
        };
        let size = size_of_change(asked.excerpt.as_deref(), &call.name, &call.input);
        let (title, is_whole) = asked_title(&call.name, &shown, size, columns.saturating_sub(4));
        let mut line = mark;
        line.append(title);
        lines.push(SubjectRow { line, begins: true });
        lines.extend(
            path.filter(|_| !is_whole).map(path_line).into_iter().flat_map(|line| body_rows(&line, columns)),
        );
    }
    lines.extend(body.flat_map(|line| body_rows(&line, columns)));
    lines
}

fn body_rows(line: &Line, columns: usize) -> Vec<SubjectRow> {
    let indented = |(index, piece)| {
        let mut line = Line::styled(BODY, PLAIN);
        line.append(piece);
        SubjectRow { line, begins: index == 0 }
    };
    let pieces = break_at_width(line, columns.saturating_sub(BODY.len()).max(1));
    pieces.into_iter().enumerate().map(indented).collect()
}
