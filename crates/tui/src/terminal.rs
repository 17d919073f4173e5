//! The real terminal: taken in raw mode, and always given back, also by a panic.

use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// What a terminal is told when the screen begins: pastes in brackets, keys with their modifiers (the kitty keyboard
/// protocol, which others ignore), and the title of the window put aside.
const TAKE: &str = "\u{1b}[?2004h\u{1b}[>1u\u{1b}[22;0t";
/// The same, taken back. Lines wrap and the cursor is seen again, whatever was being drawn.
const GIVE: &str = "\u{1b}[?2026l\u{1b}[?7h\u{1b}[<u\u{1b}[?2004l\u{1b}[23;0t\u{1b}[0m\u{1b}[?25h";

/// Whether the terminal is taken at this moment.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether the terminal that was taken last knows more than the plain codes.
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

    /// Writes an operating system command, to those who know them.
    pub(crate) fn command(&self, text: &str) -> io::Result<()> {
        if self.rich { self.write(&format!("\u{1b}]{text}\u{1b}\\")) } else { Ok(()) }
    }

    /// The size: columns and rows. A terminal that does not know it has the size of old.
    pub(crate) fn size() -> (usize, usize) {
        match crossterm::terminal::size() {
            Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
            _ => (80, 24),
        }
    }

    /// Gives the terminal away for a while.
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
        // There is nobody to tell about a terminal that is gone.
        let _ = out.write_all(if rich { GIVE } else { "\u{1b}[?7h\u{1b}[?25h" }.as_bytes());
        let _ = out.flush();
        let _ = disable_raw_mode();
    }
}

/// A panic's message is written by a hook that runs before anything is dropped: the terminal is given back before it.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if TAKEN.load(Ordering::SeqCst) {
                // The message stands where the rest of the live part was.
                let _ = io::stdout().lock().write_all(b"\r\x1b[J");
            }
            give(RICH.load(Ordering::SeqCst));
            before(info);
        }));
    });
}
