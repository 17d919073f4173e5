//! A line of the ledger about a file.

use throughline_conversation::{ResultRef, ToolCall, ToolResult};

use crate::Draft;
use crate::reference::{naming, of_shown, refs};

/// How often a file was read and edited, and where its newest text is.
#[derive(Debug, Clone)]
pub(crate) struct FileNote<'t> {
    pub(crate) path: String,
    pub(crate) edits: u64,
    pub(crate) reads: u64,
    newest: Newest<'t>,
}

/// Where the text of the newest read is.
#[derive(Debug, Clone)]
enum Newest<'t> {
    /// It was not read.
    Nowhere,
    /// In a result that leaves the window now.
    Shown(&'t ToolCall, &'t ToolResult),
    /// Stored before.
    Stored(ResultRef),
}

impl<'t> FileNote<'t> {
    pub(crate) fn new(path: String) -> Self {
        Self { path, edits: 0, reads: 0, newest: Newest::Nowhere }
    }

    pub(crate) fn read(&mut self, call: &'t ToolCall, result: Option<&'t ToolResult>) {
        self.reads += 1;
        if let Some(result) = result.filter(|result| !result.is_error) {
            self.newest = Newest::Shown(call, result);
        }
    }

    /// Adds what an earlier ledger knew. It is older than what follows.
    pub(crate) fn add(&mut self, earlier: Self) {
        self.edits += earlier.edits;
        self.reads += earlier.reads;
        if !matches!(earlier.newest, Newest::Nowhere) {
            self.newest = earlier.newest;
        }
    }

    /// The line. A newest text of more than `least` bytes is kept in the draft when it is not stored yet.
    pub(crate) fn line(&self, draft: &mut Draft<'_>, least: usize) -> String {
        let stored = match &self.newest {
            Newest::Nowhere => None,
            Newest::Stored(stored) => Some(stored.clone()),
            Newest::Shown(call, result) => match of_shown(&result.content) {
                Some(reference) => Some(reference.stored),
                None if result.content.len() > least => {
                    Some(draft.keep(&call.name, result.content.as_bytes()))
                }
                None => None,
            },
        };
        let newest = stored.map(|stored| format!("; newest read {}", naming(&stored))).unwrap_or_default();
        match (self.edits, self.reads) {
            (0, reads) => format!("{}: read {reads}×{newest}", self.path),
            (edits, 0) => format!("{}: edited {edits}×{newest}", self.path),
            (edits, reads) => format!("{}: edited {edits}×, read {reads}×{newest}", self.path),
        }
    }

    /// Reads such a line.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (path, rest) = line.rsplit_once(": ")?;
        let (counts, stored) = match rest.split_once("; newest read ") {
            Some((counts, stored)) => (counts, refs(stored).next().map(ResultRef::from_text)),
            None => (rest, None),
        };
        let mut note = Self::new(path.to_owned());
        for part in counts.split(", ") {
            let (what, times) = part.strip_suffix('×')?.split_once(' ')?;
            match what {
                "edited" => note.edits = times.parse().ok()?,
                "read" => note.reads = times.parse().ok()?,
                _ => return None,
            }
        }
        note.newest = stored.map_or(Newest::Nowhere, Newest::Stored);
        Some(note)
    }
}
