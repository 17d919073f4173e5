//! What a terminal shows in the end of an output: progress lines are overwritten, and colours are no text.

use std::iter::Peekable;
use std::str::Chars;

/// Largest number of a cursor movement.
const FARTHEST: usize = 1_000;

/// The output as a terminal shows it in the end. An output that is no text, or has nothing that a terminal would act on, is
/// unchanged.
pub(super) fn screen_text(output: Vec<u8>) -> Vec<u8> {
    let acts = |pair: &[u8]| match pair {
        [0x08 | 0x1b, ..] => true,
        [b'\r', after, ..] => *after != b'\n',
        _ => false,
    };
    if !output.windows(2).any(acts) {
        return output;
    }
    match std::str::from_utf8(&output) {
        Ok(text) if !text.contains('\0') => Screen::default().shown(text).into_bytes(),
        _ => output,
    }
}

/// Lines, and the place where the next character goes.
#[derive(Default)]
struct Screen {
    lines: Vec<Vec<char>>,
    row: usize,
    column: usize,
}

impl Screen {
    fn shown(mut self, text: &str) -> String {
        let ends = text.ends_with('\n');
        let mut rest = text.chars().peekable();
        while let Some(letter) = rest.next() {
            match letter {
                '\n' => (self.row, self.column) = (self.row + 1, 0),
                '\r' => self.column = 0,
                '\u{8}' => self.column = self.column.saturating_sub(1),
                '\u{1b}' => self.escape(&mut rest),
                letter => self.put(letter),
            }
        }
        let rows = self.lines.len().max(self.row + usize::from(!ends));
        self.lines.resize(rows, Vec::new());
        let lines = self.lines.iter().map(|line| line.iter().collect::<String>());
        let mut out = lines.map(|line| line.trim_end_matches(' ').to_owned()).collect::<Vec<_>>().join("\n");
        if ends {
            out.push('\n');
        }
        out
    }

    fn line(&mut self) -> Option<&mut Vec<char>> {
        if self.lines.len() <= self.row {
            self.lines.resize(self.row + 1, Vec::new());
        }
        self.lines.get_mut(self.row)
    }

    fn put(&mut self, letter: char) {
        let column = self.column;
        let Some(line) = self.line() else { return };
        if line.len() < column {
            line.resize(column, ' ');
        }
        match line.get_mut(column) {
            Some(place) => *place = letter,
            None => line.push(letter),
        }
        self.column += 1;
    }

    /// Acts on a sequence, as far as it moves the cursor or erases.
    fn escape(&mut self, rest: &mut Peekable<Chars<'_>>) {
        match rest.next() {
            Some('[') => {
                let mut written = String::new();
                let end = loop {
                    match rest.next() {
                        Some(letter @ '\u{40}'..='\u{7e}') => break letter,
                        Some(letter) => written.push(letter),
                        None => return,
                    }
                };
                self.control(end, &written);
            }
            // A title or a link, up to BEL or ESC \.
            Some(']' | 'P' | '_' | '^' | 'X') => {
                while let Some(letter) = rest.next() {
                    if letter == '\u{7}' || (letter == '\u{1b}' && rest.next_if_eq(&'\\').is_some()) {
                        return;
                    }
                }
            }
            Some('(' | ')' | '#' | '%') => drop(rest.next()),
            _ => {}
        }
    }

    fn control(&mut self, end: char, written: &str) {
        let number = written.split(';').next().and_then(|first| first.parse::<usize>().ok());
        let steps = number.unwrap_or(1).clamp(1, FARTHEST);
        match end {
            'A' | 'F' => self.row = self.row.saturating_sub(steps),
            'B' | 'E' => self.row += steps,
            'C' => self.column += steps,
            'D' => self.column = self.column.saturating_sub(steps),
            'G' => self.column = steps - 1,
            'K' => self.erase(number.unwrap_or(0)),
            'J' if number.unwrap_or(0) == 0 => {
                self.erase(0);
                self.lines.truncate(self.row + 1);
            }
            _ => {}
        }
        if matches!(end, 'E' | 'F') {
            self.column = 0;
        }
    }

    /// Erases the line from the cursor on (0), up to it (1), or all of it (2).
    fn erase(&mut self, part: usize) {
        let column = self.column;
        let Some(line) = self.line() else { return };
        match part {
            0 => line.truncate(column),
            1 => line.iter_mut().take(column + 1).for_each(|place| *place = ' '),
            _ => line.clear(),
        }
    }
}

#[cfg(test)]
mod tests;
