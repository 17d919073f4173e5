//! How much a name is worth in an index.

use super::SEPARATOR;

/// How a name was used.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NameUse {
    /// Messages with the name.
    pub(super) messages: u32,
    /// Calls of the model with the name.
    pub(super) calls: u32,
    /// All places.
    pub(super) places: u32,
    /// The last message with it, from 1.
    pub(super) last: u32,
}

impl NameUse {
    /// How much a name is worth for its bytes, in the form in which it is listed. Over recorded sessions the share of names
    /// that calls use again grows with their places, messages and calls and falls with their age, each as its root, and
    /// depends on the form.
    pub(super) fn worth(self, now: u32, listed: &str) -> f64 {
        /// Messages within which age says little: what was just seen is often done with.
        const NEAR: f64 = 30.0;
        let one_more = |count: u32| f64::from(count) + 1.0;
        let uses = one_more(self.places) * one_more(self.messages) * one_more(self.calls);
        let age = f64::from(now - self.last) + NEAR;
        (uses / age).sqrt() * reuse(listed) / (listed.len() + SEPARATOR) as f64
    }
}

/// How often names of this form are used again, over that of files and identifiers. Of 69,000 qualified names and 4,500 options
/// that had left recorded windows, calls used ten again.
fn reuse(name: &str) -> f64 {
    const HARDLY: f64 = 0.15;
    const HALF: f64 = 0.5;
    let file = has_ending(name);
    if name.starts_with("--") || (!name.contains('/') && !file && name.contains(['.', ':'])) {
        HARDLY
    } else if (name.contains('/') && !file) || is_mostly_digits(name) {
        HALF
    } else {
        1.0
    }
}

/// Returns true if a name ends as a file does: `.rs`, `.yaml`.
fn has_ending(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| {
        (1..=5).contains(&ending.len()) && ending.bytes().all(|letter| letter.is_ascii_lowercase())
    })
}

fn is_mostly_digits(name: &str) -> bool {
    name.bytes().filter(u8::is_ascii_digit).count() * 2 >= name.len()
}

#[cfg(test)]
mod tests;
