//! Text of models, tools and files, made safe to display.

/// Returns true if a terminal does something with a character other than showing it, or shows nothing at all.
#[must_use]
pub fn is_control(letter: char) -> bool {
    let hidden = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    letter.is_control() || hidden
}

/// Replaces control characters by a visible mark, so that nothing in the text can move the cursor, change the title or
/// write the clipboard. Newlines and tabs stay.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut before = None;
    let shown = |letter: char| {
        let joins = letter == ZERO_WIDTH_JOINER && before.is_some_and(is_emoji);
        before = Some(letter);
        match letter {
            '\n' | '\t' => letter,
            letter if is_control(letter) && !joins => '\u{fffd}',
            letter => letter,
        }
    };
    text.chars().map(shown).collect()
}

/// Joins emoji to one picture.
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// Returns true for characters that emoji are made of.
fn is_emoji(letter: char) -> bool {
    matches!(letter, '\u{fe0f}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

/// The first line of a text with something in it, cut to this many characters.
#[must_use]
pub fn headline(text: &str, characters: usize) -> String {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let line = plain(first);
    if line.chars().count() <= characters {
        return line;
    }
    let mut cut: String = line.chars().take(characters.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests;
