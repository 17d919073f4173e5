//! What running commands write, on its way to the screen: only so much of it as the screen shows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of one part that are shown: more does not fit below a running call.
const NEWEST: usize = 4_096;
/// Parts that may wait for the screen. A terminal that stands still must not make the program grow.
const WAITING: usize = 64;

/// Cuts what commands write to what is shown, at the borders of characters.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    /// The bytes of a character whose end has not come yet, by call.
    open: Mutex<HashMap<String, Vec<u8>>>,
    /// One clone goes with each part that waits.
    waiting: Arc<()>,
}

impl Outputs {
    /// The newest text of a part, and what is to be dropped when it is shown. `None`: there is nothing to show, or too
    /// much waits already.
    pub(super) fn newest(&self, call_id: &str, part: &[u8]) -> Option<(String, Arc<()>)> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = open.remove(call_id).unwrap_or_default();
        match part.len().checked_sub(NEWEST) {
            Some(from @ 1..) => {
                // What stood before is left out, so the end of a character at the cut is, too.
                let newest = part.get(from..).unwrap_or_default().iter();
                bytes = newest.copied().skip_while(|byte| (0x80..=0xbf).contains(byte)).collect();
            }
            _ => bytes.extend_from_slice(part),
        }
        let end = bytes.len() - unfinished(&bytes);
        let rest = bytes.split_off(end);
        if !rest.is_empty() {
            open.insert(call_id.to_owned(), rest);
        }
        drop(open);
        let waits = Arc::clone(&self.waiting);
        // One is kept here, and one is the clone that may go.
        let room = Arc::strong_count(&waits) <= WAITING + 2;
        (room && !bytes.is_empty()).then(|| (String::from_utf8_lossy(&bytes).into_owned(), waits))
    }

    /// Forgets what is left of a call.
    pub(super) fn ended(&self, call_id: &str) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(call_id);
    }
}

/// How many bytes at the end are the start of a character.
fn unfinished(bytes: &[u8]) -> usize {
    for back in 1..=3.min(bytes.len()) {
        let Some(byte) = bytes.get(bytes.len() - back) else { return 0 };
        let length = match byte {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            0x80..=0xbf => continue,
            _ => return 0,
        };
        return if length > back { back } else { 0 };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_comes_in_two_parts_is_one_letter() {
        let outputs = Outputs::default();
        let text = |call: &str, part: &[u8]| outputs.newest(call, part).map(|(text, _)| text);
        let all = "aü€😀".as_bytes();
        for cut in 1..all.len() {
            let (one, two) = all.split_at(cut);
            let (one, two) = (text("c", one).unwrap_or_default(), text("c", two).unwrap_or_default());
            assert_eq!(one + &two, "aü€😀", "cut at {cut}");
        }
        // What is no text at all is shown as such, and calls do not mix.
        assert_eq!(text("c", b"x\xff"), Some("x\u{fffd}".to_owned()));
        assert_eq!(text("c", &all[1..2]), None);
        assert_eq!(text("d", b"y"), Some("y".to_owned()));
        outputs.ended("c");
        assert_eq!(text("c", b"z"), Some("z".to_owned()));
    }

    #[test]
    fn a_screen_that_stands_still_is_not_sent_more_and_more() {
        let outputs = Outputs::default();
        let part = vec![b'x'; 64 * 1024];
        let mut waiting: Vec<_> = (0..10_000).filter_map(|_| outputs.newest("c", &part)).collect();
        let bytes: usize = waiting.iter().map(|(text, _)| text.len()).sum();
        assert!(
            waiting.len() >= WAITING && bytes <= (WAITING + 2) * NEWEST,
            "{} parts, {bytes} bytes",
            waiting.len()
        );
        waiting.clear();
        assert!(outputs.newest("c", &part).is_some(), "it goes on when the screen does");
    }
}
