//! Reading a file that somebody else may have written: confined, bounded, and without what a person cannot see.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use throughline_text::sanitized;
use throughline_tools::{OpenError, open_regular};

use crate::refusal::Refusal;

/// Of a larger file only the first and the last half of this many bytes are read. It is far more than is ever shown of
/// one file, also in a script of four bytes per character.
const MOST_BYTES: u64 = 1024 * 1024;

/// A zero byte among this many at the start makes a file binary (the rule that git and grep use).
const PROBE: usize = 8 * 1024;

/// A file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileText {
    pub(crate) text: String,
    /// Bytes between the two halves of a file that was not read whole.
    pub(crate) hidden: u64,
    /// Number of removed invisible and control characters.
    pub(crate) removed: usize,
}

/// The real place of a file, which must lie inside of a folder whatever links lead to it.
pub(crate) fn real(path: &Path, inside: &Path) -> Result<PathBuf, Refusal> {
    let real = path.canonicalize().map_err(|error| match Refusal::of(&error) {
        // The error does not reveal if such a file exists outside.
        Refusal::Missing if !lexical(path).starts_with(inside) => Refusal::Outside,
        other => other,
    })?;
    let Ok(inner) = real.strip_prefix(inside) else { return Err(Refusal::Outside) };
    if holds_secrets(inner) { Err(Refusal::Secret) } else { Ok(real) }
}

/// The path with its `..` taken literally.
fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

/// Files that no instruction needs and that hold keys or addresses with passwords in them.
fn holds_secrets(inner: &Path) -> bool {
    let in_git = inner.components().any(|part| part == Component::Normal(".git".as_ref()));
    let name = inner.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let named = [".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials"].contains(&name.as_str());
    let starts = name == ".env"
        || name.starts_with(".env.")
        || name.starts_with("id_rsa")
        || name.starts_with("id_ed25519");
    let ends = [".pem", ".key", ".p12", ".pfx"].iter().any(|end| name.ends_with(end));
    in_git || named || starts || ends
}

/// Reads a text file.
pub(crate) fn read(real: &Path) -> Result<FileText, Refusal> {
    let refused = |error: std::io::Error| Refusal::of(&error);
    let (mut file, metadata) = open_regular(real).map_err(|error| match error {
        OpenError::Special(kind) if kind.is_dir() => Refusal::Folder,
        OpenError::Special(_) => Refusal::Special,
        OpenError::Refused(error) => refused(error),
    })?;
    let length = metadata.len();
    let mut bytes = Vec::new();
    let half = MOST_BYTES / 2;
    if length <= MOST_BYTES {
        // It may grow while it is read.
        (&file).take(MOST_BYTES).read_to_end(&mut bytes).map_err(refused)?;
        return text(&bytes, &[], 0);
    }
    (&file).take(half).read_to_end(&mut bytes).map_err(refused)?;
    file.seek(SeekFrom::Start(length - half)).map_err(refused)?;
    let mut end = Vec::new();
    (&file).take(half).read_to_end(&mut end).map_err(refused)?;
    text(&bytes, &end, length - MOST_BYTES)
}

/// The text of a file, or of its two ends.
fn text(start: &[u8], end: &[u8], hidden: u64) -> Result<FileText, Refusal> {
    if start.iter().take(PROBE).any(|byte| *byte == 0) {
        return Err(Refusal::Binary);
    }
    let mut text = if end.is_empty() {
        utf8(start)?.to_owned()
    } else {
        // The cuts may go through a character.
        let start = utf8(without_broken_end(start))?;
        let end =
            utf8(end.get(end.iter().take_while(|byte| is_inner(**byte)).count()..).unwrap_or_default())?;
        format!("{start}{end}")
    };
    if let Some(rest) = text.strip_prefix('\u{feff}') {
        text = rest.to_owned();
    }
    let text = if text.contains('\r') { text.replace("\r\n", "\n") } else { text };
    let clean = sanitized(&text);
    let removed = text.chars().count().saturating_sub(clean.chars().count());
    Ok(FileText { text: clean.into_owned(), hidden, removed })
}

fn utf8(bytes: &[u8]) -> Result<&str, Refusal> {
    std::str::from_utf8(bytes).map_err(|_| Refusal::NotUtf8)
}

fn is_inner(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn without_broken_end(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        _ => bytes,
    }
}

#[cfg(test)]
mod tests;
