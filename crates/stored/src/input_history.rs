//! Input of earlier sessions, for the history keys.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Attempt as _, Result};
use throughline_config::lock;

/// The file, in the data folder.
const FILE: &str = "inputs.jsonl";
/// Maximum number of inputs of a workspace that are loaded.
const MAX_INPUTS: usize = 1_000;
/// Longer inputs are pasted texts and are not recorded. Bytes.
const LONGEST: usize = 16 * 1024;
/// A larger file is cut to its newer half. Bytes.
const LARGEST: u64 = 2 * 1024 * 1024;

/// The inputs of a workspace, in a file of the data folder that all workspaces share: one JSON object per line, the newest
/// last. A line that a crash cut off is skipped.
#[derive(Debug, Clone)]
pub struct InputHistory {
    file: PathBuf,
    workspace: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    workspace: String,
    text: String,
}

impl InputHistory {
    /// Returns true if inputs of any workspace are recorded in a data folder.
    pub(crate) fn exists(data: &Path) -> bool {
        data.join(FILE).exists()
    }

    /// The inputs of a workspace in a data folder.
    #[must_use]
    pub fn new(data: &Path, workspace: &Path) -> Self {
        Self { file: data.join(FILE), workspace: workspace.to_string_lossy().into_owned() }
    }

    /// The newest inputs, oldest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn earlier(&self) -> Result<Vec<String>> {
        let text = match self.read() {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).attempt(|| format!("cannot read {}", self.file.display())),
        };
        let own = |line: &str| {
            let line: Line = serde_json::from_str(line).ok()?;
            (line.workspace == self.workspace).then_some(line.text)
        };
        let mut newest: Vec<String> = text.lines().rev().filter_map(own).take(MAX_INPUTS).collect();
        newest.reverse();
        newest.dedup();
        Ok(newest)
    }

    /// The file, or the end of one that is too large.
    fn read(&self) -> std::io::Result<String> {
        let mut file = File::open(&self.file)?;
        let over = file.metadata()?.len().saturating_sub(2 * LARGEST);
        file.seek(SeekFrom::Start(over))?;
        let mut bytes = Vec::new();
        file.take(2 * LARGEST).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Records an input, unless it is too long or has the code of a login.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record(&self, text: &str) -> Result<()> {
        if text.len() > LONGEST || has_login_code(text) {
            return Ok(());
        }
        let line = Line { workspace: self.workspace.clone(), text: text.to_owned() };
        let line = format!("{}\n", serde_json::to_string(&line)?);
        let _lock = lock(&self.file)?;
        self.append(&line).attempt(|| format!("cannot write {}", self.file.display()))
    }

    /// Removes the inputs of this workspace that one of these messages begins with as whole lines.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn remove(&self, messages: &[String]) -> Result<()> {
        self.change(messages, None)
    }

    /// Makes the same inputs those of another workspace.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(crate) fn hand_to(&self, workspace: &Path, messages: &[String]) -> Result<()> {
        self.change(messages, Some(&workspace.to_string_lossy()))
    }

    fn change(&self, messages: &[String], heir: Option<&str>) -> Result<()> {
        if !self.file.exists() {
            return Ok(());
        }
        let _lock = lock(&self.file)?;
        self.rewrite(messages, heir).attempt(|| format!("cannot write {}", self.file.display()))
    }

    /// Writes the file again if a line of it changes.
    fn rewrite(&self, messages: &[String], heir: Option<&str>) -> std::io::Result<()> {
        let text = String::from_utf8_lossy(&std::fs::read(&self.file)?).into_owned();
        let mut rest = Vec::new();
        for line in text.lines() {
            // Half a line may hold anything.
            let Ok(input) = serde_json::from_str::<Line>(line) else { continue };
            let is_meant = input.workspace == self.workspace
                && messages.iter().any(|message| begins(message, &input.text));
            match heir {
                _ if !is_meant => rest.push(line.to_owned()),
                Some(heir) => {
                    rest.push(serde_json::to_string(&Line { workspace: heir.to_owned(), ..input })?);
                }
                None => {}
            }
        }
        if !rest.iter().eq(text.lines()) {
            self.replace(&rest.iter().map(String::as_str).collect::<Vec<_>>())?;
        }
        Ok(())
    }

    fn append(&self, line: &str) -> std::io::Result<()> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).mode(0o600).open(&self.file)?;
        let size = file.metadata()?.len();
        if size > LARGEST {
            return self.shorten(line);
        }
        let mut last = [b'\n'];
        if size > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        // Start a new line after one that a crash cut off.
        let line = if last == [b'\n'] { line.to_owned() } else { format!("\n{line}") };
        file.write_all(line.as_bytes())
    }

    /// Replaces the file atomically by its newer half and this line.
    fn shorten(&self, line: &str) -> std::io::Result<()> {
        let text = self.read()?;
        let half = text.len() / 2;
        let newer = text.lines().rev().scan(0, |taken, old| {
            *taken += old.len() + 1;
            (*taken <= half).then_some(old)
        });
        let mut newer: Vec<&str> = newer.collect();
        newer.reverse();
        newer.push(line.trim_end());
        self.replace(&newer)
    }

    /// Replaces the file atomically by these lines.
    fn replace(&self, lines: &[&str]) -> std::io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        for line in lines {
            writeln!(file, "{line}")?;
        }
        file.as_file().sync_all()?;
        file.persist(&self.file).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Returns true if a message begins with an input as whole lines. What is attached to a message follows its text.
fn begins(message: &str, input: &str) -> bool {
    let input = input.trim();
    let rest = message.trim_start().strip_prefix(input);
    !input.is_empty()
        && rest.is_some_and(|rest| rest.trim_start_matches(' ').is_empty() || rest.starts_with('\n'))
}

/// Returns true for `/mcp login NAME` with an address or a code behind it.
fn has_login_code(text: &str) -> bool {
    let mut words = text.split_whitespace();
    (words.next(), words.next()) == (Some("/mcp"), Some("login")) && words.nth(1).is_some()
}

#[cfg(test)]
mod tests;
