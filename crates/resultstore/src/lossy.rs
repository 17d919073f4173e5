//! Raw bytes as text, with positions that stay those of the raw bytes.
//!
//! A *unit* is a character, or a run of invalid bytes that is shown as one `U+FFFD`. The runs are the
//! "maximal subparts" of the Unicode standard (chapter 3.9), as in [`String::from_utf8_lossy`], so text cut at
//! unit boundaries reads the same in pieces as in one.

/// The longest unit in bytes: a character of four.
const LONGEST: usize = 4;

/// One shown character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShownChar {
    /// Where its bytes start.
    pub(crate) at: usize,
    /// How many bytes it has.
    pub(crate) len: usize,
    /// The shown character.
    pub(crate) shown: char,
}

impl ShownChar {
    /// Where the next unit starts.
    pub(crate) fn end(self) -> usize {
        self.at + self.len
    }
}

/// The units of `bytes`, in order.
pub(crate) fn units(bytes: &[u8]) -> impl Iterator<Item = ShownChar> {
    let mut next = 0;
    bytes.utf8_chunks().flat_map(move |chunk| {
        let start = next;
        let broken = start + chunk.valid().len();
        next = broken + chunk.invalid().len();
        let bad = ShownChar { at: broken, len: chunk.invalid().len(), shown: char::REPLACEMENT_CHARACTER };
        let good = chunk.valid().char_indices();
        good.map(move |(at, shown)| ShownChar { at: start + at, len: shown.len_utf8(), shown })
            .chain((bad.len > 0).then_some(bad))
    })
}

/// The first unit boundary at or after `at`. Looks at a few bytes around it only.
pub(crate) fn next_boundary(bytes: &[u8], at: usize) -> usize {
    for back in 1..LONGEST {
        let Some(start) = at.checked_sub(back) else { break };
        let Some(around) = bytes.get(start..bytes.len().min(start + LONGEST)) else { break };
        // Every byte but a continuation byte starts a unit.
        if around.first().is_some_and(|byte| byte & 0b1100_0000 != 0b1000_0000) {
            let reach = units(around).next().map_or(start, |unit| start + unit.end());
            return reach.max(at).min(bytes.len());
        }
    }
    at.min(bytes.len())
}

/// Where the longest start of `bytes` ends that shows as at most `limit` bytes of text.
///
/// Looks at no more bytes than that, so that cutting many parts out of one long line stays cheap.
pub(crate) fn fit_start(bytes: &[u8], limit: usize) -> usize {
    // No unit shows as fewer bytes than it has: the unit that no longer fits starts at `limit` or before.
    let window = bytes.len().min(limit.saturating_add(LONGEST));
    let mut shown = 0;
    for unit in units(bytes.get(..window).unwrap_or_default()) {
        shown += unit.shown.len_utf8();
        if shown > limit {
            return unit.at;
        }
    }
    bytes.len()
}

/// Where the unit ends that starts at `at`, a unit boundary. At the end: there.
pub(crate) fn unit_end(bytes: &[u8], at: usize) -> usize {
    let around = bytes.get(at..bytes.len().min(at.saturating_add(LONGEST))).unwrap_or_default();
    units(around).next().map_or(at, |unit| at + unit.len)
}

/// Where the longest end of `bytes` starts that shows as at most `limit` bytes of text.
pub(crate) fn fit_end(bytes: &[u8], limit: usize) -> usize {
    // A unit never shows as fewer bytes than it has, so no longer end can fit.
    let from = next_boundary(bytes, bytes.len().saturating_sub(limit));
    let end = bytes.get(from..).unwrap_or_default();
    let mut shown: usize = units(end).map(|unit| unit.shown.len_utf8()).sum();
    for unit in units(end) {
        if shown <= limit {
            return from + unit.at;
        }
        shown -= unit.shown.len_utf8();
    }
    bytes.len()
}

/// A range of `bytes` as text. Positions beyond the end count as the end.
pub(crate) fn text(bytes: &[u8], from: usize, to: usize) -> String {
    let to = to.min(bytes.len());
    String::from_utf8_lossy(bytes.get(from.min(to)..to).unwrap_or_default()).into_owned()
}

#[cfg(test)]
pub(crate) mod tests;
