//! A disk that loses what was not flushed: system calls of a program, replayed into the files that a power failure leaves.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The files of a database, as the program sees them and as the disk has them.
#[derive(Debug, Default)]
pub(super) struct Disk {
    files: HashMap<String, File>,
}

/// A file.
#[derive(Debug, Default)]
struct File {
    /// With everything that was written.
    written: Vec<u8>,
    /// With what was flushed.
    flushed: Vec<u8>,
}

/// A call that `strace -f -y -xx` has printed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Bytes were written to a file at an offset.
    Write { file: String, bytes: Vec<u8>, at: usize },
    /// A file was cut or extended to a length.
    Resize { file: String, length: usize },
    /// A file was flushed.
    Flush { file: String },
    /// A file was removed.
    Remove { file: String },
    /// Bytes were written to standard output.
    Say { bytes: Vec<u8> },
}

impl Call {
    /// Reads a finished call. `None`: it changes no file.
    pub(super) fn parse(call: &str) -> Option<Self> {
        let (name, rest) = call.split_once('(')?;
        let (arguments, result) = rest.rsplit_once(") = ")?;
        if result.starts_with('-') {
            return None;
        }
        if matches!(name, "unlink" | "unlinkat") {
            return Some(Self::Remove { file: text(quoted(arguments)?) });
        }
        let (descriptor, file) = arguments.split_once('<')?;
        let (file, arguments) = file.split_once('>')?;
        // With -xx, paths are hexadecimal, too.
        let file = text(file);
        match name {
            "write" if descriptor == "1" => Some(Self::Say { bytes: unescaped(quoted(arguments)?) }),
            "pwrite64" => {
                let at = arguments.rsplit_once(", ")?.1.parse().ok()?;
                Some(Self::Write { file, bytes: unescaped(quoted(arguments)?), at })
            }
            "ftruncate" => Some(Self::Resize { file, length: arguments.strip_prefix(", ")?.parse().ok()? }),
            "fsync" | "fdatasync" => Some(Self::Flush { file }),
            _ => None,
        }
    }
}

fn quoted(arguments: &str) -> Option<&str> {
    let (_, rest) = arguments.split_once('"')?;
    Some(rest.split_once('"')?.0)
}

fn text(escaped: &str) -> String {
    String::from_utf8(unescaped(escaped)).unwrap()
}

/// Bytes from `\x41\x42`; other characters are themselves.
fn unescaped(text: &str) -> Vec<u8> {
    let Some(hex) = text.strip_prefix("\\x") else { return text.as_bytes().to_vec() };
    hex.split("\\x").map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

impl Disk {
    /// Carries out a call.
    pub(super) fn take(&mut self, call: Call) {
        match call {
            Call::Write { file, bytes, at } => {
                let written = &mut self.files.entry(file).or_default().written;
                let end = at + bytes.len();
                if written.len() < end {
                    written.resize(end, 0);
                }
                written[at..end].copy_from_slice(&bytes);
            }
            Call::Resize { file, length } => self.files.entry(file).or_default().written.resize(length, 0),
            Call::Flush { file } => {
                let file = self.files.entry(file).or_default();
                file.flushed.clone_from(&file.written);
            }
            Call::Remove { file } => {
                self.files.remove(&file);
            }
            Call::Say { .. } => {}
        }
    }

    /// Writes the files of this name and those next to it, as a power failure would leave them now.
    pub(super) fn fail(&self, name: &str, into: &Path) {
        let own = |path: &String| path.rsplit_once('/').is_some_and(|(_, file)| file.starts_with(name));
        for (path, file) in self.files.iter().filter(|(path, _)| own(path)) {
            fs::write(into.join(path.rsplit_once('/').unwrap().1), &file.flushed).unwrap();
        }
    }
}
