//! The terminal of the user: its size, and raw mode while a program runs.

use std::io::IsTerminal as _;

use portable_pty::PtySize;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};

/// The size without a terminal, and where one tells none.
const USUAL: PtySize = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };

/// The size of the terminal.
pub(super) fn size() -> PtySize {
    let (input, output) = (std::io::stdin(), std::io::stdout());
    let size = tcgetwinsize(&output).or_else(|_| tcgetwinsize(&input));
    match size {
        Ok(size) if size.ws_row > 0 && size.ws_col > 0 => PtySize {
            rows: size.ws_row,
            cols: size.ws_col,
            pixel_width: size.ws_xpixel,
            pixel_height: size.ws_ypixel,
        },
        _ => USUAL,
    }
}

/// A terminal that passes keys on unchanged, until the value is dropped.
pub(super) struct RawTerminal(Option<Termios>);

impl RawTerminal {
    /// Enters raw mode. Without a terminal nothing changes.
    pub(super) fn enter() -> Self {
        let input = std::io::stdin();
        let before = input.is_terminal().then(|| tcgetattr(&input).ok()).flatten();
        if let Some(before) = &before {
            let mut raw = before.clone();
            raw.make_raw();
            // One that cannot be changed still works, line by line.
            let _ = tcsetattr(&input, OptionalActions::Now, &raw);
        }
        Self(before)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }
}
