//! The screen of a program, emulated from its output.

use std::num::NonZero;
use std::time::{Duration, Instant};

use portable_pty::PtySize;
use throughline_text::sanitized;
use throughline_watch::{CompactionDetector, ScreenSign, shows_dialog};

/// How long neither the program nor the user may have done anything before a text is typed.
pub(super) const QUIET: Duration = Duration::from_secs(2);

/// Time between two looks at a screen that changes all the time. What stays in view longer is seen.
const LOOK: Duration = Duration::from_millis(50);

/// The smallest screen that is emulated.
const LEAST: NonZero<u16> = NonZero::<u16>::MIN.saturating_add(1);

/// An emulated screen with its detector of compactions.
pub(super) struct ObservedScreen {
    parser: vt100::Parser,
    detector: CompactionDetector,
    changed: Instant,
    /// When it was looked at last.
    seen: Option<Instant>,
    /// It has changed since.
    is_new: bool,
}

impl ObservedScreen {
    pub(super) fn new(size: PtySize, patterns: &[String]) -> Self {
        let parser = vt100::Parser::new(at_least(size.rows), at_least(size.cols), 0);
        let detector = CompactionDetector::new(patterns.iter().map(String::as_str));
        Self { parser, detector, changed: Instant::now(), seen: None, is_new: false }
    }

    /// Takes output, and gives the compaction that has come into view.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Option<ScreenSign> {
        if bytes.is_empty() {
            return None;
        }
        let now = Instant::now();
        // What stood until now, before it is drawn over.
        let before = self.look(now);
        self.changed = now;
        self.parser.process(bytes);
        self.is_new = true;
        before.or_else(|| self.look(now))
    }

    /// Looks at the screen if it is new and was not just looked at. Gives the compaction that has come into view.
    fn look(&mut self, now: Instant) -> Option<ScreenSign> {
        let is_due = self.seen.is_none_or(|seen| now.saturating_duration_since(seen) >= LOOK);
        if !self.is_new || !is_due {
            return None;
        }
        (self.seen, self.is_new) = (Some(now), false);
        let rows = self.rows();
        self.detector.observe(rows.iter().map(String::as_str), now)
    }

    /// A compaction that nothing was drawn over yet, and the wordings that no pattern knows and that stand by now.
    pub(super) fn settled(&mut self) -> Vec<ScreenSign> {
        let now = Instant::now();
        let mut signs: Vec<ScreenSign> = self.look(now).into_iter().collect();
        signs.extend(self.detector.settled(now));
        signs
    }

    /// What is in view at the end.
    pub(super) fn rest(&mut self) -> Vec<ScreenSign> {
        self.seen = None;
        let mut signs: Vec<ScreenSign> = self.look(Instant::now()).into_iter().collect();
        signs.extend(self.detector.rest());
        signs
    }

    pub(super) fn resize(&mut self, size: PtySize) {
        self.parser.screen_mut().set_size(at_least(size.rows), at_least(size.cols));
    }

    /// Returns true if a row has this text.
    pub(super) fn shows(&self, text: &str) -> bool {
        self.rows().iter().any(|row| row.contains(text))
    }

    /// Returns true if it asks something that keys would answer.
    pub(super) fn shows_dialog(&self) -> bool {
        shows_dialog(self.rows().iter().map(String::as_str))
    }

    fn rows(&self) -> Vec<String> {
        let screen = self.parser.screen();
        screen.rows(0, screen.size().1.get()).collect()
    }

    /// Returns true if the program has asked for pastes in brackets: only such a program can tell a paste from keys.
    pub(super) fn takes_pastes(&self) -> bool {
        self.parser.screen().bracketed_paste()
    }

    /// Returns true if the program has shown nothing new for a while.
    pub(super) fn is_quiet(&self) -> bool {
        self.changed.elapsed() >= QUIET
    }
}

fn at_least(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).unwrap_or(LEAST).max(LEAST)
}

/// The keys of a paste. The user sends it: there is no Enter in it, and nothing that a terminal would interpret.
pub(super) fn paste(text: &str) -> Vec<u8> {
    let text = sanitized(text.trim());
    let mut keys = b"\x1b[200~".to_vec();
    keys.extend(
        text.chars().filter(|letter| *letter == '\n' || !letter.is_control()).collect::<String>().bytes(),
    );
    keys.extend(b"\x1b[201~");
    keys
}

#[cfg(test)]
mod tests;
