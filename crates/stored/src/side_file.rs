//! Files next to the database that belong to one session and go with it.

use std::path::Path;

use throughline_config::JsonFile;
use throughline_conversation::SessionId;

use crate::error::Result;

/// What stored results name as their tool that are the view of another agent's conversation behind a compaction.
pub const COMPACTED_VIEW: &str = "compacted view";

/// A kind of file that a session may have. It holds names, times and figures, and nothing of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideFile {
    /// What hooks have offloaded.
    Offloads,
    /// Which answers had a restored context in their request.
    SentContexts,
    /// What became of the compactions of another agent.
    Compactor,
    /// The sums of the log up to a record.
    Totals,
}

impl SideFile {
    const ALL: [Self; 4] = [Self::Offloads, Self::SentContexts, Self::Compactor, Self::Totals];

    /// The file of a session in a data folder. It need not exist.
    #[must_use]
    pub fn of(self, data: &Path, session: &SessionId) -> JsonFile {
        let folder = match self {
            Self::Offloads => "offloads",
            Self::SentContexts => "sent-contexts",
            Self::Compactor => "compactor",
            Self::Totals => "totals",
        };
        JsonFile::new(data.join(folder).join(format!("{session}.json")))
    }

    /// Removes all files of a session.
    pub(crate) fn remove_all(data: &Path, session: &SessionId) -> Result<()> {
        Self::ALL.iter().try_for_each(|file| Ok(file.of(data, session).remove()?))
    }
}
