//! What of another agent's session is not in its transcript, and stays when the transcript is stored again.

use throughline_continuity::{ContextStore as _, SessionDirectory as _, StoredContext};
use throughline_conversation::{Record, RecordBody, Seq, SessionId};
use throughline_resultstore::StoredResult;
use throughline_stored::{Attempt as _, Result};

use super::Importer;
use crate::offload::offloaded;

/// What is in no transcript.
#[derive(Debug, Default)]
pub(super) struct Preserved {
    /// The contexts that cover only messages that stay.
    contexts: Vec<StoredContext>,
    /// Results that hooks have offloaded.
    offloaded: Vec<StoredResult>,
}

impl Importer<'_> {
    /// Removes a session whose message `at` was not complete. Returns what is to be stored again.
    pub(super) async fn remove_incomplete(
        &self,
        session: &SessionId,
        stored: &[Record],
        at: usize,
    ) -> Result<Preserved> {
        let messages = stored.iter().filter(|record| matches!(record.body, RecordBody::Message(_)));
        let changed = messages.map(|record| record.seq).nth(at).unwrap_or(Seq(0));
        let contexts = self.storage.store.contexts().list(session).await;
        let mut contexts =
            contexts.attempt(|| format!("could not read the contexts of session {session}"))?;
        contexts.retain(|context| context.covers < changed);
        let offloaded = offloaded(self.storage, session).await?;
        self.storage.store.sessions().remove(session).await?;
        Ok(Preserved { contexts, offloaded })
    }

    /// Stores it again, before anything else of the session.
    pub(super) async fn store_preserved(&self, session: &SessionId, preserved: &Preserved) -> Result<()> {
        for result in &preserved.offloaded {
            self.storage.results().put(result).await?;
        }
        for context in &preserved.contexts {
            let saved = self.storage.store.contexts().save(context).await;
            saved.attempt(|| format!("could not store the contexts of session {session}"))?;
        }
        Ok(())
    }
}
