//! What an agent has to know of a session: names, steps and decisions that a summary should have.

use throughline_agent::StartError;
use throughline_continuity::{ContextSource, Resumed, resume};
use throughline_conversation::{Seq, Uncounted};

use super::RestoredContext;
use crate::error::Result;
use crate::handle::SessionHandle;

impl SessionHandle {
    /// The facts of the session up to the last context that was made after a compaction: what must not be lost of its ledger,
    /// and the steps and decisions of that context. `None`: no such context is stored.
    ///
    /// # Errors
    /// The log or the stored contexts cannot be read.
    pub async fn facts_before_compaction(&self) -> Result<Option<Vec<String>>> {
        let contexts = self.contexts().await?;
        let after = |entry: &&super::ContextEntry| entry.source == ContextSource::Compaction;
        let Some(newest) = contexts.iter().rev().find(after) else { return Ok(None) };
        let names = self.load_bearing(newest.covers).await?;
        Ok(Some(facts(names, newest.context.as_ref())))
    }

    async fn load_bearing(&self, until: Seq) -> Result<Vec<String>> {
        let (log, snapshots) = (self.storage.log(), self.storage.snapshots());
        let open = resume(log.as_ref(), snapshots.as_ref(), &self.session, &Uncounted).await;
        let Resumed { view, .. } = open.map_err(StartError::from)?;
        let ledger = self.ledger(view.groups(), until).await?;
        Ok(ledger.load_bearing().into_iter().map(str::to_owned).collect())
    }
}

/// The names, and the steps and decisions of a context, each once.
fn facts(names: Vec<String>, context: Option<&RestoredContext>) -> Vec<String> {
    let mut facts: Vec<String> = Vec::new();
    let summary = context.map(|context| &context.summary);
    let more = summary.into_iter().flat_map(|summary| {
        [&summary.pending_steps, &summary.completed_steps, &summary.key_decisions, &summary.relevant_files]
    });
    for fact in names.into_iter().chain(more.flatten().cloned()) {
        if !fact.trim().is_empty() && !facts.contains(&fact) {
            facts.push(fact);
        }
    }
    facts
}
