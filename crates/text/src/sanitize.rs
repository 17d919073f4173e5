//! Removes invisible characters from a text, or shows them.
//!
//! Invisible characters carry orders that a model reads and a person does not: tag characters spell whole sentences,
//! runs of variation selectors encode bytes, and bidirectional controls show a line in another order than it has.
//! Some of them have honest work too, in the scripts and emoji that need them; those are kept where they do it.

use std::borrow::Cow;

/// Removes invisible characters.
///
/// - Left out: control characters but newline and tab; bidirectional controls; zero-width and other invisible format
///   characters; tag characters; invisible fillers; noncharacters.
/// - U+2028 and U+2029 (line and paragraph separator) become a space, so that the number of lines stays.
/// - ZERO WIDTH JOINER and NON-JOINER stay between two letters of a script that joins letters (Arabic, the scripts of
///   India, Mongolian, …), and the joiner between two emoji.
/// - A variation selector stays, one at a time, behind a character that has variants; behind an ASCII letter it has
///   no meaning and goes.
///
/// The function is idempotent. A text without such characters is borrowed.
#[must_use]
pub fn sanitized(text: &str) -> Cow<'_, str> {
    rewritten(text, |out, letter| {
        if is_separator(letter) {
            out.push(' ');
        }
    })
}

/// Shows invisible characters: what [`sanitized`] leaves out or replaces is written as its number, `⟨U+202E⟩`.
///
/// Of a carriage return and a newline only the newline stays. The function is idempotent. A text without such characters is
/// borrowed.
#[must_use]
pub fn revealed(text: &str) -> Cow<'_, str> {
    rewritten(text, |out, letter| match (letter, out.next) {
        ('\r', Some('\n')) => {}
        (letter, _) => out.push_number(letter),
    })
}

/// The text with each invisible character that its neighbours do not need given to `replace`.
fn rewritten(text: &str, mut replace: impl FnMut(&mut Sanitized, char)) -> Cow<'_, str> {
    if !text.chars().any(is_suspect) {
        return Cow::Borrowed(text);
    }
    let mut out = Sanitized { text: String::with_capacity(text.len()), last: None, before: None, next: None };
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        out.next = rest.peek().copied();
        match letter {
            letter if !is_suspect(letter) => out.push(letter),
            '\u{200c}' | '\u{200d}' if out.joins(letter) => out.push(letter),
            letter if is_selector(letter) && out.has_variants(letter) => out.push(letter),
            letter => replace(&mut out, letter),
        }
    }
    Cow::Owned(out.text)
}

/// The text so far, with its last two characters, and the next one of the source.
struct Sanitized {
    text: String,
    last: Option<char>,
    before: Option<char>,
    next: Option<char>,
}

impl Sanitized {
    fn push(&mut self, letter: char) {
        self.text.push(letter);
        self.before = self.last.replace(letter);
    }

    /// Writes the number of a character.
    fn push_number(&mut self, letter: char) {
        format!("⟨U+{:04X}⟩", u32::from(letter)).chars().for_each(|letter| self.push(letter));
    }

    /// Returns true if a joiner or non-joiner matters between the last character and the next.
    fn joins(&self, joiner: char) -> bool {
        let (Some(last), Some(next)) = (self.last, self.next) else {
            return false;
        };
        let letters = is_joining(last) && is_joining(next);
        let picture = if last == '\u{fe0f}' { self.before.is_some_and(is_picture) } else { is_picture(last) };
        letters || (joiner == '\u{200d}' && picture && is_picture(next))
    }

    /// Returns true if a variation selector applies to the last character.
    fn has_variants(&self, selector: char) -> bool {
        let Some(last) = self.last.filter(|last| !is_selector(*last) && !last.is_whitespace()) else {
            return false;
        };
        match selector {
            // Text and emoji style, also of the keys 0-9, # and *.
            '\u{fe0e}' | '\u{fe0f}' => !last.is_ascii() || last.is_ascii_digit() || matches!(last, '#' | '*'),
            // Old forms of ideographs.
            '\u{e0100}'..='\u{e01ef}' => is_ideograph(last),
            _ => !last.is_ascii(),
        }
    }
}

/// Returns true if the character is invisible always, or unless its neighbours need it.
fn is_suspect(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        ' '..='~' => false,
        letter if letter.is_control() => true,
        // Soft hyphen, grapheme joiner, Arabic letter mark, Hangul fillers, Khmer inherent vowels, Mongolian vowel
        // separator and variation selectors.
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => true,
        '\u{180b}'..='\u{180f}' | '\u{3164}' | '\u{ffa0}' => true,
        // Zero-width characters, direction marks and controls, separators, invisible operators.
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        // Variation selectors, byte order mark, interlinear annotation.
        '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' => true,
        // Controls of shorthand and of musical notation.
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => true,
        // Tags, further variation selectors, and what Unicode keeps free for more of their kind.
        '\u{e0000}'..='\u{e0fff}' => true,
        letter => is_noncharacter(letter),
    }
}

/// Returns true for the line and the paragraph separator.
fn is_separator(letter: char) -> bool {
    matches!(letter, '\u{2028}' | '\u{2029}')
}

fn is_noncharacter(letter: char) -> bool {
    matches!(letter, '\u{fdd0}'..='\u{fdef}') || u32::from(letter) & 0xfffe == 0xfffe
}

fn is_selector(letter: char) -> bool {
    matches!(
        letter,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}' | '\u{180f}'
    )
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Letters and marks of the scripts in which a joiner or non-joiner changes how neighbours are written, by block
/// (Unicode Standard, chapter 23.2, "Cursive Connection and Ligatures").
fn is_joining(letter: char) -> bool {
    let block = matches!(
        letter,
        '\u{600}'..='\u{8ff}'
            | '\u{900}'..='\u{dff}'
            | '\u{f00}'..='\u{109f}'
            | '\u{1700}'..='\u{18af}'
            | '\u{1900}'..='\u{1c4f}'
            | '\u{a840}'..='\u{a8ff}'
            | '\u{a900}'..='\u{aaff}'
            | '\u{abc0}'..='\u{abff}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{10a00}'..='\u{10fff}'
            | '\u{11000}'..='\u{11fff}'
            | '\u{1e900}'..='\u{1e95f}'
    );
    block && !is_suspect(letter)
}

/// Characters that emoji are made of, by block (Unicode Technical Standard 51).
fn is_picture(letter: char) -> bool {
    matches!(
        letter,
        '\u{1f000}'..='\u{1faff}'
            | '\u{2190}'..='\u{2bff}'
            | '©'
            | '®'
            | '‼'
            | '⁉'
            | '™'
            | 'ℹ'
            | '〰'
            | '〽'
            | '㊗'
            | '㊙'
    )
}

#[cfg(test)]
mod tests;
