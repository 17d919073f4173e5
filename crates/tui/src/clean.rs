//! Sanitizes foreign text for the terminal: everything that a terminal would interpret or hide is removed or made visible.
//!
//! Models, tools, file names and titles may contain escape sequences that write the clipboard, change the window title or
//! move the cursor, and characters that are invisible or that reorder the text.

use crate::layout::width;

/// Maximum characters of a string sequence (OSC, DCS, APC …) that is removed as a whole. A longer one, or one without an end
/// on its line, is shown: a missing end must not hide the text after it.
const LONGEST_STRING: usize = 8_192;

/// Columns between tab stops.
const TAB: usize = 4;

/// For text that the user reads: removes escape sequences and invisible characters, and preserves line endings and tabs. A
/// lone carriage return ends a line: the text before it stays visible.
pub(crate) fn stripped(text: &str) -> String {
    cleaned(text, false)
}

/// The same for the output of a command, where the text after a carriage return overwrites the line, as in a terminal.
pub(crate) fn overwritten(text: &str) -> String {
    cleaned(text, true)
}

fn cleaned(text: &str, overwrites: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        rest = match letter {
            '\u{1b}' => escape(after),
            '\u{9b}' => csi(after),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => string(after),
            '\r' if after.starts_with('\n') => after,
            '\r' if after.is_empty() => after,
            '\r' if overwrites => {
                // A progress line: the newest text replaces it.
                out.truncate(out.rfind('\n').map_or(0, |at| at + 1));
                after
            }
            '\r' => {
                out.push('\n');
                after
            }
            letter => {
                out.extend(shown(letter, out.chars().next_back()));
                after
            }
        };
    }
    out
}

/// For text that the user writes or decides about: nothing is removed, invisible characters become visible marks.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => out.push(letter),
            '\u{7f}' => out.push('\u{2421}'),
            letter if letter < ' ' => {
                out.push(char::from_u32(0x2400 + u32::from(letter)).unwrap_or('\u{fffd}'));
            }
            letter => out.extend(shown_or_mark(letter, out.chars().next_back())),
        }
    }
    out
}

/// The same on one line.
pub(crate) fn one_row(text: &str) -> String {
    visible(text).replace('\n', " ")
}

/// One line without tabs: they become spaces up to the next stop, counted from `column`. It is the last gate before the
/// terminal and lets no control character through.
pub(crate) fn one_line(text: &str, column: usize) -> String {
    let mut out = String::with_capacity(text.len());
    // The column of the last stop, and the bytes before it.
    let (mut column, mut measured) = (column, 0);
    for letter in text.chars() {
        match letter {
            '\t' => {
                column += width(out.get(measured..).unwrap_or_default());
                let spaces = TAB - column % TAB;
                out.extend(std::iter::repeat_n(' ', spaces));
                column += spaces;
                measured = out.len();
            }
            '\n' | '\u{2028}' | '\u{2029}' => out.push(' '),
            letter => out.extend(shown_or_mark(letter, out.chars().next_back())),
        }
    }
    out
}

/// Maps a letter of a stripped text; `None` removes it.
fn shown(letter: char, before: Option<char>) -> Option<char> {
    match letter {
        '\n' | '\t' => Some(letter),
        '\u{2028}' | '\u{2029}' => Some('\n'),
        letter if letter.is_control() => None,
        letter => shown_or_mark(letter, before),
    }
}

fn shown_or_mark(letter: char, before: Option<char>) -> Option<char> {
    let joins = letter == '\u{200d}' && before.is_some_and(is_pictogram);
    Some(if (letter.is_control() || hidden(letter)) && !joins { '\u{fffd}' } else { letter })
}

/// Letters that are not seen, or that change the order of others: <https://www.unicode.org/reports/tr36/>.
fn hidden(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Letters that a zero-width joiner makes one picture of.
fn is_pictogram(letter: char) -> bool {
    matches!(letter, '\u{fe0f}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

/// What follows an escape sequence; `text` follows its ESC.
fn escape(text: &str) -> &str {
    let mut letters = text.chars();
    match letters.next() {
        Some('[') => csi(letters.as_str()),
        Some(']' | 'P' | 'X' | '^' | '_') => string(letters.as_str()),
        // Two-letter sequences and those with intermediates, such as a change of the character set.
        Some(' '..='/') => {
            let rest = letters.as_str().trim_start_matches(|letter| matches!(letter, ' '..='/'));
            rest.strip_prefix(|letter| matches!(letter, '0'..='~')).unwrap_or(rest)
        }
        Some('0'..='~') => letters.as_str(),
        _ => text,
    }
}

/// What follows a control sequence; `text` follows its introducer.
fn csi(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter| matches!(letter, '0'..='?'));
    let rest = rest.trim_start_matches(|letter| matches!(letter, ' '..='/'));
    rest.strip_prefix(|letter| matches!(letter, '@'..='~')).unwrap_or(rest)
}

/// What follows a string sequence; `text` follows its introducer.
fn string(text: &str) -> &str {
    for (count, (at, letter)) in text.char_indices().enumerate() {
        let after = text.get(at + letter.len_utf8()..).unwrap_or_default();
        match letter {
            '\u{7}' | '\u{9c}' => return after,
            '\u{1b}' => {
                return after.strip_prefix('\\').unwrap_or_else(|| text.get(at..).unwrap_or_default());
            }
            '\n' => return text,
            _ if count > LONGEST_STRING => return text,
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests;
