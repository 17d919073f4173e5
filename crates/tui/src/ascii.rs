//! The marks of the screen in ASCII, for terminals and fonts that lack them.

use crate::line::Line;

/// A line with the marks of the screen in ASCII. Code and diffs are unchanged.
pub(crate) fn in_ascii(line: Line) -> Line {
    if line.is_whole() {
        return line;
    }
    line.map_text(|text| (!text.is_ascii()).then(|| replaced(text)))
}

fn replaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match mark(letter) {
            Some(mark) => out.push_str(mark),
            None => out.push(letter),
        }
    }
    out
}

fn mark(letter: char) -> Option<&'static str> {
    Some(match letter {
        '›' | '▸' => ">",
        '✓' => "ok",
        '✗' => "x",
        '●' => "o",
        '○' => ".",
        '◆' | '▪' => "#",
        '⋯' => "...",
        '↳' => "~>",
        '→' => "->",
        '↑' => "^",
        '↓' => "v",
        '⏎' => "\\n",
        '━' => "=",
        // A text that is cut keeps its width.
        '╍' | '≈' | '∴' | '…' => "~",
        '─' | '−' | '–' | '·' => "-",
        '┿' => "+",
        '│' => "|",
        '≥' => ">=",
        '⠀'..='⣿' => "*",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
