//! What an agent has to know of a session: names, steps and decisions that a summary should have.

use std::collections::BTreeSet;

use throughline_agent::StartError;
use throughline_continuity::{ContextSource, Resumed, SessionDirectory as _, resume};
use throughline_conversation::{Seq, Uncounted};
use throughline_ledger::is_milestone;
use throughline_text::path_tail;

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
        let info = self.storage.store.sessions().get(&self.session).await?;
        let workspace = info.map(|info| info.workspace).unwrap_or_default();
        Ok(Some(facts(names, newest.context.as_ref(), &workspace)))
    }

    async fn load_bearing(&self, until: Seq) -> Result<Vec<String>> {
        let (log, snapshots) = (self.storage.log(), self.storage.snapshots());
        let open = resume(log.as_ref(), snapshots.as_ref(), &self.session, &Uncounted).await;
        let Resumed { view, .. } = open.map_err(StartError::from)?;
        let ledger = self.ledger(view.groups(), until).await?;
        Ok(ledger.load_bearing().into_iter().map(str::to_owned).collect())
    }
}

/// The names, and the steps and decisions of a context, each once. A file counts once, however its path is written.
fn facts(names: Vec<String>, context: Option<&RestoredContext>, workspace: &str) -> Vec<String> {
    let (mut facts, mut known) = (Vec::new(), BTreeSet::new());
    let summary = context.map(|context| &context.summary);
    let more = summary.into_iter().flat_map(|summary| {
        [&summary.pending_steps, &summary.completed_steps, &summary.key_decisions, &summary.relevant_files]
    });
    for fact in names.into_iter().chain(more.flatten().cloned()) {
        // What commands have finished is worded by the ledger: no summary has it in these words.
        if !fact.trim().is_empty() && !is_milestone(&fact) && known.insert(key(&fact, workspace).to_owned()) {
            facts.push(fact);
        }
    }
    facts
}

/// What two spellings of a path have in common: of one in the workspace the path from there, and of that the last two parts.
fn key<'f>(fact: &'f str, workspace: &str) -> &'f str {
    if fact.contains(char::is_whitespace) {
        return fact;
    }
    let inside = fact.strip_prefix(workspace).and_then(|rest| rest.strip_prefix('/'));
    path_tail(inside.filter(|_| !workspace.is_empty()).unwrap_or(fact).trim_start_matches("./"))
}

#[cfg(test)]
mod tests;
