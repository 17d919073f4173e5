//! The sandboxes that the system was seen to enforce completely.
//!
//! To see it takes a process that limits itself, a fifth of what a short run costs. So it is remembered for a day, and only
//! that nothing was missing: what is missing is looked for, and said, at every start. Each command limits itself all the
//! same, and fails where it cannot.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use throughline_conversation::Millis;
use throughline_text::hexadecimal;

/// The file in the data folder: a line for each sandbox, with when it was looked at and a digest of the conditions.
const FILE: &str = "checked-sandboxes";

/// How long an entry is valid.
const VALID: i64 = 24 * 60 * 60 * 1_000;

/// Maximum number of entries; the oldest one leaves.
const ENTRIES: usize = 50;

/// The file of those sandboxes. One that cannot be read, or lines of another form, count as no entry.
#[derive(Debug)]
pub(super) struct CheckedSandboxes {
    file: PathBuf,
}

impl CheckedSandboxes {
    pub(super) fn in_folder(data: &Path) -> Self {
        Self { file: data.join(FILE) }
    }

    /// Returns true if a sandbox was complete under exactly these conditions within the last day.
    pub(super) fn has(&self, conditions: &str, now: Millis) -> bool {
        let digest = digest(conditions);
        self.entries(now).iter().any(|(_, known)| *known == digest)
    }

    /// Remembers that the sandbox is complete under these conditions. If that cannot be written, it is looked at again.
    pub(super) fn add(&self, conditions: &str, now: Millis) {
        let mut entries = self.entries(now);
        let digest = digest(conditions);
        entries.retain(|(_, known)| *known != digest);
        entries.push((now.0, digest));
        let from = entries.len().saturating_sub(ENTRIES);
        // A folder that cannot be written costs a look at every start.
        let _ = self.write(entries.get(from..).unwrap_or_default());
    }

    /// The valid entries, the oldest first. Times to come are those of a clock that was wrong.
    fn entries(&self, now: Millis) -> Vec<(i64, String)> {
        let text = fs::read_to_string(&self.file).unwrap_or_default();
        let entries = text.lines().filter_map(|line| line.split_once(' '));
        let entries = entries.filter_map(|(at, digest)| Some((at.parse().ok()?, digest.to_owned())));
        entries
            .filter(|(at, _)| now.0.checked_sub(*at).is_some_and(|age| (0..VALID).contains(&age)))
            .collect()
    }

    /// Replaces the file, which other processes may read meanwhile.
    fn write(&self, entries: &[(i64, String)]) -> io::Result<()> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        entries.iter().try_for_each(|(at, digest)| writeln!(file, "{at} {digest}"))?;
        file.persist(&self.file)?;
        Ok(())
    }
}

fn digest(conditions: &str) -> String {
    hexadecimal(&Sha256::digest(conditions))
}

#[cfg(test)]
mod tests;
