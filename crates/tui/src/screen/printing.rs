//! What goes into the scrollback: blocks with an empty line between two kinds.

use super::{Kind, Screen};
use crate::clean::{stripped, visible};
use crate::layout::{hang, wrap, wrap_row};
use crate::line::{BOLD, Color, DIM, Line, PLAIN, Style};

/// Lines of an input that stay in the scrollback.
const INPUT_LINES: usize = 12;

impl Screen {
    /// Prints a block.
    pub(super) fn print(&mut self, kind: Kind, lines: Vec<Line>) {
        if lines.is_empty() {
            return;
        }
        let apart = self.last != kind || kind == Kind::User;
        if apart && self.last != Kind::Nothing {
            self.printed.push(Line::blank());
        }
        self.last = kind;
        self.print_more(lines);
    }

    /// Prints lines that belong to what was printed last.
    pub(super) fn print_more(&mut self, lines: Vec<Line>) {
        for line in lines {
            if line.is_whole() {
                self.printed.push(line);
            } else {
                self.printed.extend(wrap(&line, self.columns));
            }
        }
    }

    pub(super) fn print_user(&mut self, text: &str) {
        let text = visible(text);
        let all = text.lines().count();
        let mut lines = Vec::new();
        let prompt = Line::styled("› ", BOLD.fg(Color::Cyan));
        let next = Line::plain("  ");
        for (index, line) in text.lines().take(INPUT_LINES).enumerate() {
            let start = if index == 0 { &prompt } else { &next };
            lines.extend(hang(start, &next, &Line::styled(line, BOLD), self.columns));
        }
        if all > INPUT_LINES {
            lines.push(Line::styled(format!("  … {} more lines", all - INPUT_LINES), DIM));
        }
        self.print(Kind::User, lines);
    }

    /// A line of the program, of which nothing needs to be done.
    pub(super) fn print_notice(&mut self, text: &str) {
        self.print_marked("· ", DIM, DIM, text);
    }

    /// A line about something that went wrong.
    pub(super) fn print_problem(&mut self, text: &str) {
        self.print_marked("! ", BOLD.fg(Color::Red), PLAIN.fg(Color::Red), text);
    }

    /// A line about something that went another way than it should.
    pub(super) fn print_warning(&mut self, text: &str) {
        self.print_marked("! ", PLAIN.fg(Color::Yellow), DIM, text);
    }

    fn print_marked(&mut self, mark: &str, mark_style: Style, style: Style, text: &str) {
        self.finish_stream();
        let text = stripped(text);
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let start = if index == 0 { Line::styled(mark, mark_style) } else { Line::plain("  ") };
            lines.extend(hang(&start, &Line::plain("  "), &Line::styled(line, style), self.columns));
        }
        self.print(Kind::Notice, lines);
    }

    /// Long text with its own line breaks.
    pub(super) fn print_page(&mut self, title: &str, text: &str) {
        self.finish_stream();
        let mut lines = Vec::new();
        if !title.trim().is_empty() {
            lines.push(Line::styled(stripped(title).replace('\n', " "), BOLD));
        }
        let columns = self.columns;
        let rows = stripped(text);
        let rows = rows.trim_end().lines().map(|line| Line::styled(line, PLAIN));
        lines.extend(rows.flat_map(|line| wrap_row(&line, columns)));
        self.last = if self.last == Kind::Notice { Kind::Call } else { self.last };
        self.print(Kind::Notice, lines);
    }

    /// Prints what of the answer cannot change any more.
    pub(super) fn settle_stream(&mut self) {
        let lines = self.stream.complete(self.columns);
        self.print(Kind::Answer, lines);
    }

    /// Prints the rest of the answer, or of the part of it before a call.
    pub(super) fn finish_stream(&mut self) {
        let lines = self.stream.finish(self.columns);
        self.print(Kind::Answer, lines);
    }
}
