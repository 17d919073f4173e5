//! The screen as its user sees it: on an emulated terminal, through keys and what a session tells.

mod approvals;
mod evil;
mod forms;
mod goldens;
mod laws;
mod looks;
mod pickers;
mod typing;

use std::num::NonZeroU16;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::Value;
use throughline_agent::Event;

use super::Screen;
use crate::painter::Painter;
use crate::palette::Palette;
use crate::port::{Act, Show, TurnState};

/// A screen on an emulated terminal, with a clock of its own.
pub(super) struct Stage {
    pub(super) screen: Screen,
    painter: Painter,
    pub(super) terminal: vt100::Parser,
    pub(super) now: Instant,
    pub(super) acts: Vec<Act>,
    /// All that the terminal was sent.
    pub(super) written: String,
}

impl Stage {
    pub(super) fn new(columns: u16, rows: u16) -> Self {
        Self {
            screen: Screen::new(columns.into(), rows.into()),
            painter: Painter::new(Palette::Terminal),
            terminal: vt100::Parser::new(size(rows), size(columns), 10_000),
            now: Instant::now(),
            acts: Vec::new(),
            written: String::new(),
        }
    }

    /// The same on a terminal that shows other colours.
    pub(super) fn in_colours(self, palette: Palette) -> Self {
        Self { painter: Painter::new(palette), ..self }
    }

    /// The same with marks in ASCII.
    pub(super) fn in_ascii(mut self) -> Self {
        self.screen.use_ascii();
        self
    }

    pub(super) fn paint(&mut self) {
        let finished = self.screen.take_printed();
        let live = self.screen.draw(self.now);
        let columns = self.terminal.screen().size().1.get();
        let bytes = self.painter.paint(&finished, &live, columns.into());
        self.terminal.process(bytes.as_bytes());
        self.written.push_str(&bytes);
        self.screen.painted(self.now);
    }

    pub(super) fn show(&mut self, show: Show) {
        let acts = self.screen.show(show, self.now);
        self.acts.extend(acts);
        self.paint();
    }

    pub(super) fn event(&mut self, event: Event) {
        self.show(Show::Event(event));
    }

    pub(super) fn wait(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
        self.screen.tick(self.now);
        self.paint();
    }

    pub(super) fn press(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        let acts = self.screen.key(KeyEvent::new(code, modifiers), self.now);
        self.acts.extend(acts);
        self.paint();
    }

    pub(super) fn key(&mut self, code: KeyCode) {
        self.press(code, KeyModifiers::NONE);
    }

    pub(super) fn control(&mut self, letter: char) {
        self.press(KeyCode::Char(letter), KeyModifiers::CONTROL);
    }

    /// Types letters; a newline is Enter.
    pub(super) fn types(&mut self, text: &str) {
        for letter in text.chars() {
            self.key(if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) });
        }
    }

    /// Reads the question that is shown, and answers it with keys.
    pub(super) fn answers(&mut self, keys: &str) {
        self.wait(1_000);
        self.types(keys);
    }

    pub(super) fn turn(&mut self, state: TurnState) {
        self.show(Show::Turn(state));
    }

    pub(super) fn starts(&mut self, id: &str, name: &str, input: Value) {
        self.event(Event::ToolStarted { call_id: id.to_owned(), name: name.to_owned(), input });
    }

    pub(super) fn ends(&mut self, id: &str, name: &str, result: &str, is_error: bool) {
        self.show(Show::ToolResult { call_id: id.to_owned(), result: result.into() });
        self.event(Event::ToolFinished {
            call_id: id.to_owned(),
            name: name.to_owned(),
            bytes: result.len() as u64,
            is_error,
            output: String::new(),
            offloaded: None,
        });
    }

    /// What is on the terminal, with the cursor as `▮`.
    pub(super) fn seen(&self) -> String {
        let screen = self.terminal.screen();
        let (row, column) = screen.cursor_position();
        let mut out = String::new();
        for (index, line) in screen.rows(0, screen.size().1.get()).enumerate() {
            if index == usize::from(row) && !screen.hide_cursor() {
                let before: String = screen.rows(0, column).nth(index).unwrap_or_default();
                let before = format!("{before:<width$}", width = usize::from(column));
                let behind = line.get(before.trim_end().len()..).unwrap_or_default();
                let behind =
                    if before.trim_end().len() == before.len() { behind } else { behind.trim_start() };
                out.push_str(&format!("{before}▮{behind}\n"));
            } else {
                out.push_str(line.trim_end());
                out.push('\n');
            }
        }
        out.trim_end().to_owned()
    }

    /// What was asked of the session since the last time. What it only records is left out.
    pub(super) fn acts(&mut self) -> Vec<Act> {
        let acts = std::mem::take(&mut self.acts);
        acts.into_iter().filter(|act| !matches!(act, Act::Entered(_))).collect()
    }
}

/// A size of an emulated terminal.
pub(super) fn size(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap()
}

pub(super) fn submit(text: &str) -> Act {
    Act::Submit(text.to_owned())
}
