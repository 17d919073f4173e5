//! Asks the terminal once, before the first frame, whether its ground is dark or light.
//!
//! The query is OSC 11. A second one that every terminal answers (DA1) follows it: its answer says that no other comes. Keys that
//! were pressed meanwhile are kept.

use std::io;
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::palette::Shade;
use crate::terminal::Terminal;

/// OSC 11 and DA1.
const QUERY: &str = "\u{1b}]11;?\u{1b}\\\u{1b}[c";
/// Time in which a terminal answers.
const PATIENCE: Duration = Duration::from_millis(100);
/// An answer and typed keys are shorter.
const MOST: usize = 4_096;

/// What the terminal has answered, and the keys among its answers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) ground: Option<Shade>,
    pub(crate) typed: Vec<KeyEvent>,
}

/// Asks the terminal. It must be in raw mode, and nothing else may read from it meanwhile.
pub(crate) fn ask(terminal: &Terminal) -> io::Result<Asked> {
    terminal.write(QUERY)?;
    let stdin = io::stdin();
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    while bytes.len() < MOST && !Answers::read(&bytes).is_complete {
        let left = end.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: 0, tv_nsec: left.subsec_nanos().into() };
        let mut waits = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN)];
        match poll(&mut waits, Some(&timeout)) {
            Ok(0) => break,
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        let mut part = [0; 512];
        let count = rustix::io::read(stdin.as_fd(), &mut part)?;
        if count == 0 {
            break;
        }
        bytes.extend(part.iter().take(count));
    }
    let answers = Answers::read(&bytes);
    Ok(Asked { ground: answers.ground, typed: keys(&String::from_utf8_lossy(&answers.rest)) })
}

/// The answers among bytes of the terminal.
#[derive(Debug, Default)]
struct Answers {
    ground: Option<Shade>,
    /// The answer after which no other comes is there.
    is_complete: bool,
    /// The bytes of keys.
    rest: Vec<u8>,
}

impl Answers {
    fn read(bytes: &[u8]) -> Self {
        let mut answers = Self::default();
        let mut rest = bytes;
        while let Some((first, after)) = rest.split_first() {
            if let Some((text, after)) = enclosed(rest, b"\x1b]11;", &[b"\x1b\\", b"\x07"]) {
                answers.ground = shade(&String::from_utf8_lossy(text));
                rest = after;
            } else if let Some((_, after)) = enclosed(rest, b"\x1b[?", &[b"c"]) {
                answers.is_complete = true;
                rest = after;
            } else {
                answers.rest.push(*first);
                rest = after;
            }
        }
        answers
    }
}

/// The bytes between a start and the first of these ends, and those behind it.
fn enclosed<'b>(bytes: &'b [u8], start: &[u8], ends: &[&[u8]]) -> Option<(&'b [u8], &'b [u8])> {
    let inside = bytes.strip_prefix(start)?;
    let found =
        |end: &&[u8]| inside.windows(end.len()).position(|part| part == *end).map(|at| (at, end.len()));
    let (at, length) = ends.iter().filter_map(found).min()?;
    Some((inside.get(..at)?, inside.get(at + length..)?))
}

/// The shade of a colour as terminals report it: `rgb:1616/1818/1d1d`.
fn shade(text: &str) -> Option<Shade> {
    let mut parts = text.strip_prefix("rgb:")?.split('/').map(|part| {
        let most = 16_u32.checked_pow(u32::try_from(part.len()).ok()?)?.checked_sub(1)?;
        let value = u32::from_str_radix(part, 16).ok()?;
        (most > 0).then(|| f64::from(value) / f64::from(most))
    });
    let [red, green, blue] = [parts.next()??, parts.next()??, parts.next()??];
    let bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    Some(if bright > 0.5 { Shade::Light } else { Shade::Dark })
}

/// Typed text as keys. What begins with an escape character is left out: half of it may be missing.
fn keys(text: &str) -> Vec<KeyEvent> {
    let plain = text.split('\u{1b}').next().unwrap_or_default();
    let key = |letter: char| {
        let (code, modifiers) = match letter {
            '\r' | '\n' => (KeyCode::Enter, KeyModifiers::NONE),
            '\t' => (KeyCode::Tab, KeyModifiers::NONE),
            '\u{7f}' => (KeyCode::Backspace, KeyModifiers::NONE),
            '\u{1}'..='\u{1a}' => {
                let own = char::from_u32(u32::from(letter) + 0x60)?;
                (KeyCode::Char(own), KeyModifiers::CONTROL)
            }
            letter if letter.is_control() => return None,
            letter => (KeyCode::Char(letter), KeyModifiers::NONE),
        };
        Some(KeyEvent::new(code, modifiers))
    };
    plain.chars().filter_map(key).collect()
}

#[cfg(test)]
mod tests;
