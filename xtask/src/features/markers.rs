//! Finds the markers in test code: a comment that starts with numbers, as `// S3-01 S3-02` or `// S3-01: why`.

use super::number::Number;
use crate::source;
use crate::tree::TextFile;

/// A number named by a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// The number.
    pub(super) number: Number,
    /// File and line, for messages.
    pub(super) place: String,
}

/// What the comments of one file name.
#[derive(Debug, Default)]
pub(super) struct Markers {
    /// Numbers, each with its place.
    pub(super) named: Vec<Named>,
    /// Comments that start like a marker and are none, as messages.
    pub(super) malformed: Vec<String>,
}

/// The markers of one Rust file; comments outside test code promise nothing and are passed over.
pub(super) fn of(file: &TextFile) -> Markers {
    let mut markers = Markers::default();
    for line in source::lines(&file.path, &file.text).iter().filter(|line| line.test) {
        let Some(comment) = comment(line.text) else { continue };
        let numbers = comment.split_once(':').map_or(comment, |(numbers, _why)| numbers);
        if !starts_like_a_number(numbers) {
            continue;
        }
        let place = format!("{}:{}", file.path, line.number);
        match numbers.split_whitespace().map(Number::parse).collect::<Option<Vec<_>>>() {
            Some(numbers) => {
                markers
                    .named
                    .extend(numbers.into_iter().map(|number| Named { number, place: place.clone() }));
            }
            None => markers.malformed.push(format!(
                "{place}: `{comment}`: write each number out, as `S3-01 S3-02`, and a reason after a colon"
            )),
        }
    }
    markers
}

/// The text of the comment on this line, whichever kind of line comment it is.
fn comment(line: &str) -> Option<&str> {
    let (_, comment) = line.split_once("//")?;
    Some(comment.trim_start_matches(['/', '!']).trim())
}

/// Returns true if the writer meant a number: a capital S, a digit, a hyphen, a digit.
fn starts_like_a_number(text: &str) -> bool {
    let mut letters = text.chars();
    let digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    letters.next() == Some('S')
        && digit(letters.next())
        && letters.next() == Some('-')
        && digit(letters.next())
}

#[cfg(test)]
mod tests;
