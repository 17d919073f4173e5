//! Finding `@path` in the text of a rules file: as a word of its own, outside of code and comments.

use std::path::Path;

use throughline_text::is_unspaced;

/// Endings of names that are files even when nothing of that name is there.
const TEXT_ENDINGS: &[&str] = &["md", "mdx", "markdown", "mdc", "txt", "rst", "adoc"];

/// Characters after a path in a sentence that are not part of it.
const PUNCTUATION: &[char] = &[
    '.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '"', '\'', '*', '_', '）', '】', '》', '〉', '」',
    '』', '”', '’', '…',
];

/// Full-width marks that end a path: between them and the next word there is no space.
const FULL_WIDTH: &[char] =
    &['，', '。', '；', '：', '！', '？', '、', '｡', '､', '．', '」', '』', '》', '】'];

/// Full-width marks in front of a path.
const OPENING: &[char] = &['（', '【', '《', '〈', '「', '『', '“', '‘'];

/// Goes through a text line by line.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    /// The fence of the code block that the line is in.
    fence: Option<(char, usize)>,
    comment: bool,
}

impl Scanner {
    /// The paths that the next line imports, in order and without their `@`.
    pub(crate) fn imports<'a>(&mut self, line: &'a str) -> Vec<&'a str> {
        if self.is_fenced(line) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut rest = line;
        let mut before = ' ';
        while let Some(letter) = rest.chars().next() {
            let mut step = letter.len_utf8();
            if self.comment {
                match rest.strip_prefix("-->") {
                    Some(_) => (self.comment, step) = (false, 3),
                    None => step = rest.find("-->").unwrap_or(rest.len()),
                }
            } else if rest.starts_with("<!--") {
                (self.comment, step) = (true, 4);
            } else if letter == '`' {
                step = code_span(rest);
            } else if letter == '@' && may_precede(before) {
                let path = path_of(rest.get(1..).unwrap_or_default());
                if !path.is_empty() {
                    found.push(path);
                }
                step += path.len();
            }
            before = rest.get(..step).and_then(|done| done.chars().next_back()).unwrap_or(letter);
            rest = rest.get(step..).unwrap_or_default();
        }
        found
    }

    /// Returns true if the line belongs to a code block, its fences included.
    fn is_fenced(&mut self, line: &str) -> bool {
        if self.comment {
            return false;
        }
        let text = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '>');
        let mark = text.chars().next().filter(|mark| ['`', '~'].contains(mark));
        let length = mark.map_or(0, |mark| text.chars().take_while(|letter| *letter == mark).count());
        let info = text.get(length..).unwrap_or_default();
        match self.fence {
            Some((open, least)) => {
                if mark == Some(open) && length >= least && info.trim().is_empty() {
                    self.fence = None;
                }
                true
            }
            None => {
                let opens = length >= 3 && !(mark == Some('`') && info.contains('`'));
                self.fence = mark.filter(|_| opens).map(|mark| (mark, length));
                opens
            }
        }
    }
}

/// Bytes of the code span that the text begins with, or of the marks alone when nothing closes it in this line.
fn code_span(text: &str) -> usize {
    let marks = text.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = marks;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let run = rest.bytes().take_while(|byte| *byte == b'`').count();
        if run == marks {
            return at + run;
        }
        at += run.max(rest.chars().next().map_or(1, char::len_utf8));
    }
    marks
}

/// Returns true if a path may follow. Scripts without spaces need none.
fn may_precede(letter: char) -> bool {
    letter.is_whitespace()
        || letter == '('
        || OPENING.contains(&letter)
        || FULL_WIDTH.contains(&letter)
        || is_unspaced(letter)
}

fn path_of(text: &str) -> &str {
    let ends = |letter: char| letter.is_whitespace() || letter == '`' || FULL_WIDTH.contains(&letter);
    let word = text.split(ends).next().unwrap_or_default();
    // A bracket that was opened in the name belongs to it.
    let word = if word.contains('（') { word } else { word.split('）').next().unwrap_or_default() };
    word.trim_end_matches(PUNCTUATION)
}

/// Returns true for a name with an ending of texts.
pub(crate) fn is_named_as_text(path: &str) -> bool {
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    TEXT_ENDINGS.contains(&ending.to_ascii_lowercase().as_str())
}

/// Returns true if a word can only be a file. Anything else with an `@` in front may be a person, a package or a
/// decorator, and is an import only when there is such a file.
pub(crate) fn is_meant_as_file(path: &str) -> bool {
    is_named_as_text(path) || ["./", "../", "/", "~/"].iter().any(|start| path.starts_with(start))
}

#[cfg(test)]
mod tests;
