//! The terminal in raw mode. It is always restored, even after a panic.

use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// Enables bracketed paste, reports of the focus and key modifiers (the kitty keyboard protocol, which other terminals
/// ignore), and saves the window title.
const TAKE: &str = "\u{1b}[?2004h\u{1b}[?1004h\u{1b}[>1u\u{1b}[22;0t";
/// Reverts it, and enables line wrapping and the cursor.
const GIVE: &str =
    "\u{1b}[?2026l\u{1b}[?7h\u{1b}[<u\u{1b}[?1004l\u{1b}[?2004l\u{1b}[23;0t\u{1b}[0m\u{1b}[?25h";

/// True while the terminal is in raw mode.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// True if that terminal supports more than basic codes.
static RICH: AtomicBool = AtomicBool::new(false);

/// The terminal while the screen has it.
#[derive(Debug)]
pub(crate) struct Terminal {
    /// Whether it knows more than the plain codes.
    rich: bool,
}

impl Terminal {
    /// Takes the terminal. `rich`: it may be sent sequences that only newer terminals know.
    pub(crate) fn take(rich: bool) -> io::Result<Self> {
        restore_on_panic();
        enable_raw_mode()?;
        RICH.store(rich, Ordering::SeqCst);
        TAKEN.store(true, Ordering::SeqCst);
        let terminal = Self { rich };
        if rich {
            terminal.write(TAKE)?;
        }
        Ok(terminal)
    }

    /// Writes all of it at once.
    pub(crate) fn write(&self, bytes: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(bytes.as_bytes())?;
        out.flush()
    }

    /// Writes an operating system command if the terminal supports them.
    pub(crate) fn command(&self, text: &str) -> io::Result<()> {
        if self.rich { self.write(&format!("\u{1b}]{text}\u{1b}\\")) } else { Ok(()) }
    }

    /// Rings the bell, and sends a desktop notification (OSC 9) to terminals that may show it.
    pub(crate) fn notify(&self, text: &str) -> io::Result<()> {
        self.write("\u{7}")?;
        self.command(&format!("9;{text}"))
    }

    /// Columns and rows; 80 x 24 if the terminal does not report them.
    pub(crate) fn size() -> (usize, usize) {
        match crossterm::terminal::size() {
            Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
            _ => (80, 24),
        }
    }

    /// Releases the terminal temporarily.
    pub(crate) fn pause(&self) -> io::Result<()> {
        give(self.rich);
        Ok(())
    }

    /// Takes it again.
    pub(crate) fn resume(&self) -> io::Result<()> {
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        if self.rich { self.write(TAKE) } else { Ok(()) }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give(self.rich);
    }
}

fn give(rich: bool) {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = io::stdout().lock();
        // Errors of a closed terminal cannot be reported.
        let _ = out.write_all(if rich { GIVE } else { "\u{1b}[?7h\u{1b}[?25h" }.as_bytes());
        let _ = out.flush();
        let _ = disable_raw_mode();
    }
}

/// The panic message is written before destructors run, so the terminal must be restored in the panic hook.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if TAKEN.load(Ordering::SeqCst) {
                // The message replaces the rest of the live part.
                let _ = io::stdout().lock().write_all(b"\r\x1b[J");
            }
            give(RICH.load(Ordering::SeqCst));
            before(info);
        }));
    });
}
