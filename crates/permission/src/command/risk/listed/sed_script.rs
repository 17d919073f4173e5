//! Scripts of sed. Its commands `e`, `r`, `R`, `w` and `W`, and flags of `s`, run programs and read and write files.

use std::iter::Peekable;
use std::str::Chars;

/// Returns true if a script only uses commands that print and change text. Blocks, labels and inserted texts are not read,
/// so they count as harmful.
pub(super) fn is_harmless_script(script: &str) -> bool {
    let mut letters = script.chars().peekable();
    loop {
        while letters.next_if(|letter| letter.is_whitespace() || *letter == ';').is_some() {}
        if letters.peek().is_none() {
            return true;
        }
        if command(&mut letters).is_none() {
            return false;
        }
    }
}

/// Reads one command with its addresses. `None`: it is not harmless.
fn command(letters: &mut Peekable<Chars<'_>>) -> Option<()> {
    address(letters)?;
    if letters.next_if_eq(&',').is_some() {
        address(letters)?;
    }
    while letters.next_if(|letter| matches!(letter, ' ' | '!')).is_some() {}
    match letters.next()? {
        'p' | 'P' | 'd' | 'D' | 'q' | 'Q' | '=' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'l' | 'z' => {}
        'y' => substituted(letters)?,
        's' => {
            substituted(letters)?;
            while letters
                .next_if(|flag| matches!(flag, 'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9'))
                .is_some()
            {}
        }
        _ => return None,
    }
    while letters.next_if(|letter| matches!(letter, ' ' | '\t')).is_some() {}
    letters.peek().is_none_or(|next| matches!(next, ';' | '\n')).then_some(())
}

/// Reads an address, if one is next: a number, `$` or an expression between slashes.
fn address(letters: &mut Peekable<Chars<'_>>) -> Option<()> {
    match letters.peek() {
        Some('/') => {
            letters.next();
            until(letters, '/')?;
            while letters.next_if(|flag| matches!(flag, 'I' | 'M')).is_some() {}
        }
        Some('\\') => return None,
        _ => {
            while letters
                .next_if(|letter| letter.is_ascii_digit() || matches!(letter, '$' | '~' | '+'))
                .is_some()
            {}
        }
    }
    Some(())
}

/// Reads the two parts of `s` and `y`.
fn substituted(letters: &mut Peekable<Chars<'_>>) -> Option<()> {
    let delimiter = letters.next().filter(|letter| !matches!(letter, '\\' | '\n' | '['))?;
    until(letters, delimiter)?;
    until(letters, delimiter)
}

/// Reads up to a delimiter. Where it depends on the version of sed what ends a bracket, or whether the delimiter in one ends
/// the expression, it counts as harmful.
fn until(letters: &mut Peekable<Chars<'_>>, delimiter: char) -> Option<()> {
    let mut bracketed = false;
    loop {
        match letters.next()? {
            '\\' => drop(letters.next()?),
            letter if letter == delimiter => return (!bracketed).then_some(()),
            '[' if bracketed || matches!(letters.peek(), Some(']' | '^')) => return None,
            '[' => bracketed = true,
            ']' => bracketed = false,
            '\n' => return None,
            _ => {}
        }
    }
}
