//! Output of running commands, cut to what the screen shows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of one part that are shown: more does not fit below a running call.
const NEWEST: usize = 4_096;
/// Parts that may wait for the screen. A stalled terminal must not use ever more memory.
const WAITING: usize = 64;

/// Cuts the output of commands to what is shown, at character boundaries.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    /// The bytes of an incomplete character, by call.
    open: Mutex<HashMap<String, Vec<u8>>>,
    /// One clone for each part that waits.
    waiting: Arc<()>,
}

impl Outputs {
    /// The newest text of a part, and a token to drop once it is shown. `None`: there is nothing to show, or too much waits.
    pub(super) fn newest(&self, call_id: &str, part: &[u8]) -> Option<(String, Arc<()>)> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = open.remove(call_id).unwrap_or_default();
        match part.len().checked_sub(NEWEST) {
            Some(from @ 1..) => {
                // Skip the rest of a character that the cut divides.
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
        // One clone is in `self`, and one may be returned.
        let room = Arc::strong_count(&waits) <= WAITING + 2;
        (room && !bytes.is_empty()).then(|| (String::from_utf8_lossy(&bytes).into_owned(), waits))
    }

    /// Forgets the incomplete character of a call.
    pub(super) fn ended(&self, call_id: &str) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(call_id);
    }
}

/// The number of bytes at the end that begin an incomplete character.
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
mod tests;
