//! Neutralizes tags with more attributes than any real page has.
//!
//! The tokenizer compares each attribute of a tag with all previous ones, so one tag of a few megabytes takes an hour. Such
//! a tag is turned into text before the tokenizer sees it.

use std::borrow::Cow;

/// Maximum number of attributes of a tag.
pub(super) const MAX_ATTRIBUTES: u32 = 512;

/// Escapes the `<` of every tag that has more than `most` attributes.
///
/// The context of a `<` is ignored: in a comment, a script or a value it starts no tag, and escaping it there changes nothing
/// that matters. So the result has no such tag, whatever the tokenizer takes for one.
pub(super) fn bounded(page: &str, most: u32) -> Cow<'_, str> {
    let starts = starts(page.as_bytes(), most);
    if starts.is_empty() {
        return Cow::Borrowed(page);
    }
    let mut bounded = String::with_capacity(page.len() + 3 * starts.len());
    let (mut rest, mut done) = (page, 0);
    for start in starts.into_iter().rev() {
        let (before, tag) = rest.split_at_checked(start - done).unwrap_or((rest, ""));
        bounded.push_str(before);
        bounded.push_str("&lt;");
        rest = tag.strip_prefix('<').unwrap_or(tag);
        done = start + 1;
    }
    bounded.push_str(rest);
    Cow::Owned(bounded)
}

/// The offsets of such tags, the last one first. Scans the page once, from its end.
fn starts(page: &[u8], most: u32) -> Vec<usize> {
    let mut starts = Vec::new();
    // An attribute takes at least a letter and a separator.
    if (page.len() as u64) < 2 * u64::from(most) {
        return starts;
    }
    let (mut next, mut after_next) = (0_u8, 0_u8);
    let (mut behind, mut beyond) = (Ahead::default(), Ahead::default());
    for (at, byte) in page.iter().copied().enumerate().rev() {
        let attributes = match (byte, next) {
            (b'<', b'/') if after_next.is_ascii_alphabetic() => beyond.tag_name,
            (b'<', letter) if letter.is_ascii_alphabetic() => behind.tag_name,
            _ => 0,
        };
        if attributes > most {
            starts.push(at);
        }
        (after_next, next) = (next, byte);
        (beyond, behind) = (behind, behind.before(byte));
    }
    starts
}

/// The number of attributes from an offset to the end of the tag, for each state that the tokenizer may be in there (HTML
/// Standard, "Tokenization").
#[derive(Debug, Clone, Copy, Default)]
struct Ahead {
    tag_name: u32,
    before_name: u32,
    name: u32,
    after_name: u32,
    before_value: u32,
    double_quoted: u32,
    single_quoted: u32,
    unquoted: u32,
    after_quoted: u32,
    self_closing: u32,
}

impl Ahead {
    /// The counts one byte earlier.
    fn before(self, byte: u8) -> Self {
        let begins = self.name.saturating_add(1);
        let space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c);
        let then = |after_space: u32, otherwise: u32| match byte {
            _ if space => after_space,
            b'/' => self.self_closing,
            b'>' => 0,
            _ => otherwise,
        };
        let value_or = |otherwise: u32| if byte == b'=' { self.before_value } else { otherwise };
        let before_name = then(self.before_name, begins);
        Self {
            tag_name: then(self.before_name, self.tag_name),
            before_name,
            name: then(self.after_name, value_or(self.name)),
            after_name: then(self.after_name, value_or(begins)),
            before_value: match byte {
                _ if space => self.before_value,
                b'"' => self.double_quoted,
                b'\'' => self.single_quoted,
                b'>' => 0,
                _ => self.unquoted,
            },
            double_quoted: if byte == b'"' { self.after_quoted } else { self.double_quoted },
            single_quoted: if byte == b'\'' { self.after_quoted } else { self.single_quoted },
            unquoted: match byte {
                _ if space => self.before_name,
                b'>' => 0,
                _ => self.unquoted,
            },
            after_quoted: before_name,
            // A `/` that does not end the tag is ignored.
            self_closing: before_name,
        }
    }
}

#[cfg(test)]
mod tests;
