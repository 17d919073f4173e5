//! Text without the difference of upper and lower case, with the places it came from.

use crate::lossy;

/// A text in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folded {
    /// The text in lower case.
    pub(super) text: String,
    /// For each character of the original: where it is in `text`, and where in the original. Empty when the two
    /// are equal everywhere (plain ASCII).
    places: Vec<(usize, usize)>,
}

/// Folds bytes. Each character is folded alone, so that a part of a text folds to a part of the folded text.
pub(super) fn fold(bytes: &[u8]) -> Folded {
    if bytes.is_ascii() {
        let text = lossy::text(bytes, 0, bytes.len()).to_ascii_lowercase();
        return Folded { text, places: Vec::new() };
    }
    let mut text = String::with_capacity(bytes.len());
    let mut places = Vec::new();
    for unit in lossy::units(bytes) {
        places.push((text.len(), unit.at));
        text.extend(unit.shown.to_lowercase());
    }
    Folded { text, places }
}

impl Folded {
    /// Where in the original the first `needle` at or behind `from` is.
    pub(super) fn find(&self, needle: &str, from: usize) -> Option<usize> {
        let start = if self.places.is_empty() {
            from
        } else {
            self.places.get(self.places.partition_point(|(_, original)| *original < from))?.0
        };
        let found = start + self.text.get(start..)?.find(needle)?;
        if self.places.is_empty() {
            return Some(found);
        }
        // A match may start inside what one character folds to; then it is at that character.
        let behind = self.places.partition_point(|(folded, _)| *folded <= found);
        self.places.get(behind.checked_sub(1)?).map(|(_, original)| *original)
    }
}
