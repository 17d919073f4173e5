//! A file of one JSON value a line.

use std::path::Path;

use serde_json::Value;
use throughline_text::cut_end;

use super::given_title::given_title;
use super::lenient_json::lenient_json;

/// Maximum number of places in a line at which a whole record is looked for.
const RECORD_STARTS: usize = 256;

/// The values of a file, each with its line number from 1, and notes on the lines without one.
#[derive(Debug, Default)]
pub(super) struct JsonLines {
    pub(super) values: Vec<(usize, Value)>,
    pub(super) bad: Vec<String>,
    /// How many of them are lost, and the first. A last line that is not whole is being written.
    lost: usize,
    first_lost: Option<usize>,
    first: Option<String>,
    /// Whether the first line is no JSON value.
    first_is_bad: bool,
}

impl JsonLines {
    /// Reads every line by itself, so that a bad one costs no other.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let bytes = without_mark(bytes);
        /// Enough of a line to know it again.
        const SHOWN: usize = 60;
        let mut lines = Self::default();
        let mut all = bytes.split(|byte| *byte == b'\n').enumerate().peekable();
        while let Some((index, line)) = all.next() {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            let number = index + 1;
            let first = lines.first.is_none();
            if first {
                lines.first = Some(cut_end(&String::from_utf8_lossy(line), SHOWN).to_owned());
            }
            let read = values(line).or_else(|error| behind_torn(line).ok_or(error));
            lines.first_is_bad |= first && read.is_err();
            let is_begun = all.peek().is_none() && read.as_ref().is_err_and(serde_json::Error::is_eof);
            if !matches!(read, Ok(LineValues::Objects(_))) && !is_begun {
                lines.lost += 1;
                lines.first_lost.get_or_insert(number);
            }
            match read {
                Ok(LineValues::Objects(values)) => {
                    lines.values.extend(values.into_iter().map(|value| (number, value)));
                }
                Ok(LineValues::Torn(values)) => {
                    lines.bad.push(format!("line {number}: its start is left out, it is no JSON"));
                    lines.values.extend(values.into_iter().map(|value| (number, value)));
                }
                Ok(LineValues::Other) => {
                    lines.bad.push(format!("line {number}: left out, it is no JSON object"));
                }
                Err(error) => {
                    // The error's position is within the line, whose number the note already has.
                    let why = error.to_string().replace("line 1 column", "column");
                    lines.bad.push(format!("line {number}: left out, it is no JSON ({why})"));
                }
            }
        }
        lines
    }

    /// The newest name that the user has given the session.
    pub(super) fn title(&self) -> Option<String> {
        self.values.iter().rev().find_map(|(_, value)| given_title(value)).map(str::to_owned)
    }

    /// What a person should know of the lines that are lost. `None`: none is.
    pub(super) fn warning(&self, file: &Path) -> Option<String> {
        let (file, first) = (file.display(), self.first_lost?);
        Some(match self.lost {
            1 => format!("{file}, line {first}: left out, it cannot be read"),
            count => {
                format!("{file}, line {first}: left out, it cannot be read; {count} lines of the file cannot")
            }
        })
    }

    /// Returns true if a line is no JSON object.
    pub(super) fn has_bad(&self) -> bool {
        !self.bad.is_empty()
    }

    /// Returns true if the first line begins an object or a list that it does not end.
    pub(super) fn begin_document(&self) -> bool {
        let begins = self.first.as_deref().is_some_and(|first| first.starts_with(['{', '[']));
        begins && self.first_is_bad
    }

    /// What a person should know of a file of unknown form.
    pub(super) fn seen(&self) -> String {
        match self.values.first() {
            Some((number, Value::Object(object))) => {
                let keys: Vec<&str> = object.keys().map(String::as_str).take(8).collect();
                format!("line {number} is a JSON object with the keys {}", keys.join(", "))
            }
            _ => format!("line 1 begins with {:?}", self.first.as_deref().unwrap_or_default()),
        }
    }
}

/// Bytes without the mark with which some editors begin a text.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// What a line has.
enum LineValues {
    Objects(Vec<Value>),
    /// Those behind a record that was torn.
    Torn(Vec<Value>),
    Other,
}

/// The objects of a line of a transcript: none where it is no JSON, and those behind a record that was torn.
#[must_use]
pub fn line_objects(line: &[u8]) -> Vec<Value> {
    let line = line.trim_ascii();
    match values(line).ok().or_else(|| behind_torn(line)) {
        Some(LineValues::Objects(values) | LineValues::Torn(values)) => values,
        Some(LineValues::Other) | None => Vec::new(),
    }
}

/// The objects of a line: more than one where a program has not ended the line before it wrote the next.
fn values(line: &[u8]) -> Result<LineValues, serde_json::Error> {
    let all = match lenient_json(line) {
        Ok(value) => vec![value],
        Err(error) => {
            let each = serde_json::Deserializer::from_slice(line).into_iter::<Value>();
            each.collect::<Result<Vec<Value>, _>>().map_err(|_| error)?
        }
    };
    Ok(if all.iter().all(Value::is_object) { LineValues::Objects(all) } else { LineValues::Other })
}

/// The whole records with which a line ends. Before them is one that was torn when the program or the machine stopped, or a hole of
/// zeros in its place. `None`: there are none.
fn behind_torn(line: &[u8]) -> Option<LineValues> {
    // An object behind one of these signs is a part of the record.
    let is_part = |before: &[u8]| matches!(before.trim_ascii_end().last(), Some(b':' | b'[' | b','));
    let starts = line.windows(2).enumerate().skip(1).filter(|(_, two)| *two == b"{\"");
    let split = starts.filter_map(|(at, _)| line.split_at_checked(at));
    let ends = split.filter(|(before, _)| !is_part(before)).map(|(_, end)| end);
    ends.take(RECORD_STARTS).find_map(|end| match values(end) {
        Ok(LineValues::Objects(values)) => Some(LineValues::Torn(values)),
        _ => None,
    })
}
