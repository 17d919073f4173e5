//! Which answers of another agent had a restored context in their request, where its session does not say so: a file next to the
//! database.

use std::path::Path;

use throughline_config::JsonFile;
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_stored::{Result, SideFile, Storage};

/// Maximum number of answers of a session; the oldest go first.
const STORED: usize = 1_000;

/// The file of a session. It holds ids of messages, and nothing of their content.
#[derive(Debug, Clone)]
pub struct SentContexts(JsonFile);

impl SentContexts {
    /// The file in a data folder. It need not exist.
    #[must_use]
    pub fn new(data: &Path, session: &SessionId) -> Self {
        Self(SideFile::SentContexts.of(data, session))
    }

    /// The ids of the answers, oldest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn answers(&self) -> Result<Vec<String>> {
        Ok(self.0.read()?)
    }
}

/// Notes that a request with a restored context leaves, and the id of the message that will have its answer. Nothing is noted
/// of a session that is not stored.
///
/// # Errors
/// The storage or the file cannot be read or written.
pub(crate) async fn note_sent_context(storage: &Storage, session: &SessionId, answer: &str) -> Result<()> {
    if storage.store.sessions().get(session).await?.is_none() {
        return Ok(());
    }
    Ok(SentContexts::new(storage.folder.root(), session).0.change(|answers: &mut Vec<String>| {
        answers.retain(|known| known != answer);
        answers.push(answer.to_owned());
        answers.drain(..answers.len().saturating_sub(STORED));
    })?)
}
