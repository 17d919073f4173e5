//! Input of earlier sessions, for the history keys.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use throughline::lock;

/// Maximum number of inputs of a workspace that are loaded.
const MOST: usize = 1_000;
/// Longer inputs are pasted texts and are not recorded. Bytes.
const LONGEST: usize = 16 * 1024;
/// A larger file is cut to its newer half. Bytes.
const LARGEST: u64 = 2 * 1024 * 1024;

/// The inputs of a workspace, in a file of the data folder that all workspaces share: one JSON object per line, the newest
/// last. A line that a crash cut off is skipped.
#[derive(Debug, Clone)]
pub(super) struct InputHistory {
    file: PathBuf,
    workspace: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    workspace: String,
    text: String,
}

impl InputHistory {
    pub(super) fn new(data: &Path, workspace: &Path) -> Self {
        Self { file: data.join("inputs.jsonl"), workspace: workspace.to_string_lossy().into_owned() }
    }

    /// The newest inputs, oldest first.
    pub(super) fn earlier(&self) -> anyhow::Result<Vec<String>> {
        let text = match self.read() {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", self.file.display())),
        };
        let own = |line: &str| {
            let line: Line = serde_json::from_str(line).ok()?;
            (line.workspace == self.workspace).then_some(line.text)
        };
        let mut newest: Vec<String> = text.lines().rev().filter_map(own).take(MOST).collect();
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

    /// Records an input.
    pub(super) fn record(&self, text: &str) -> anyhow::Result<()> {
        if text.len() > LONGEST {
            return Ok(());
        }
        let line = Line { workspace: self.workspace.clone(), text: text.to_owned() };
        let line = format!("{}\n", serde_json::to_string(&line)?);
        let _lock = lock(&self.file)?;
        self.append(&line).with_context(|| format!("cannot write {}", self.file.display()))
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
        let folder = self.file.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        for old in newer {
            writeln!(file, "{old}")?;
        }
        file.write_all(line.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&self.file).map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
