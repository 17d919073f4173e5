//! The contexts of a session that were restored to agents, and the newest one while it still holds.

use std::sync::Arc;

use serde::Serialize;
use throughline_agent::Listeners;
use throughline_continuity::{ContextSource, ContextStore as _, StoredContext};
use throughline_conversation::{Millis, Seq, SessionId};
use throughline_settings::keys;
use throughline_text::error_chain;

use super::RestoredContext;
use crate::error::{Attempt as _, Result};
use crate::handle::SessionHandle;
use crate::session_id::now;
use throughline_config::Config;
use throughline_connect::ModelChoice;

/// A context as an export shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextEntry {
    /// The session.
    pub session_id: SessionId,
    /// The agent that it was made for.
    pub worker_id: String,
    /// When it was made.
    pub timestamp: Millis,
    /// What it was made for.
    pub source: ContextSource,
    /// The last record that it covers.
    pub covers: Seq,
    /// The context. `None`: what is stored cannot be read, see `damaged`.
    #[serde(flatten)]
    pub context: Option<RestoredContext>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damaged: Option<String>,
}

/// How a context is made.
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// Texts whose lines are quoted in it.
    pub patterns: Vec<String>,
    /// The model that writes the summary; `None`: it is made of the log alone.
    pub summarizer: Option<ModelChoice>,
    /// Who hears of the requests to that model.
    pub listeners: Option<Arc<dyn Listeners>>,
}

impl ContextOptions {
    /// What the settings say of watched sessions.
    #[must_use]
    pub fn of(config: &Config) -> Self {
        let settings = &config.resolved;
        let summarizer = settings.get(keys::WATCH_SUMMARIZER);
        let summarizer = summarizer.filter(|model| !matches!(model.trim(), "" | "off"));
        Self {
            patterns: settings.list(keys::WATCH_EXTRACT).into_iter().map(|item| item.text).collect(),
            summarizer: summarizer.map(|model| ModelChoice::named(model).completed(config)),
            listeners: None,
        }
    }
}

impl SessionHandle {
    /// The context of the session for an agent, and stores it. If nothing was logged since the newest one was stored, that
    /// one is returned, except for a refresh of one that no model has written; one that cannot be read is made again.
    ///
    /// # Errors
    /// The log, the list of sessions or the stored contexts cannot be read or written.
    pub async fn context_for(
        &self,
        source: ContextSource,
        worker: &str,
        options: &ContextOptions,
    ) -> Result<RestoredContext> {
        let covers = self.storage.log().last(&self.session).await?;
        if let Some(newest) = self.contexts().await?.pop()
            && newest.covers == covers
            && let Some(context) = newest.context
            && holds(&context, source, options)
        {
            return Ok(context);
        }
        let context = self.context_with(options).await?;
        let stored = StoredContext {
            session: self.session.clone(),
            covers,
            source,
            worker: worker.to_owned(),
            at: now(),
            context: serde_json::to_string(&context)?,
        };
        let saved = self.storage.store.contexts().save(&stored).await;
        saved.attempt(|| format!("could not store the context of session {}", self.session))?;
        Ok(context)
    }

    /// The stored contexts of the session for an export, and in words why they cannot be read, if they cannot. What is lost is
    /// noted; see [`Storage::lost_contexts`](crate::Storage::lost_contexts).
    pub async fn readable_contexts(&self) -> (Vec<ContextEntry>, Option<String>) {
        match self.contexts().await {
            Ok(contexts) => {
                for ContextEntry { covers, damaged, .. } in &contexts {
                    if let Some(why) = damaged {
                        let what = format!("the context of records 1 to {} is lost: {why}", covers.0);
                        self.storage.note_lost_contexts(what);
                    }
                }
                (contexts, None)
            }
            Err(error) => {
                let why = error_chain(&error);
                self.storage.note_lost_contexts(format!("its contexts are lost: {why}"));
                (Vec::new(), Some(why))
            }
        }
    }

    /// The stored contexts of the session, the newest last.
    ///
    /// # Errors
    /// They cannot be read.
    pub async fn contexts(&self) -> Result<Vec<ContextEntry>> {
        let stored = self.storage.store.contexts().list(&self.session).await;
        let stored = stored.attempt(|| format!("could not read the contexts of session {}", self.session))?;
        Ok(stored.into_iter().map(entry).collect())
    }
}

/// Returns true if a context of the same log need not be made again. A summary that a model was paid for always holds.
fn holds(context: &RestoredContext, source: ContextSource, options: &ContextOptions) -> bool {
    match (&options.summarizer, &context.extraction) {
        (Some(_), Some(extraction)) => extraction.problem.is_none() || source != ContextSource::Refresh,
        (Some(_), None) => false,
        (None, _) => source != ContextSource::Refresh,
    }
}

fn entry(stored: StoredContext) -> ContextEntry {
    let (context, damaged) = match serde_json::from_str(&stored.context) {
        Ok(context) => (Some(context), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let StoredContext { session: session_id, covers, source, worker: worker_id, at: timestamp, .. } = stored;
    ContextEntry { session_id, worker_id, timestamp, source, covers, context, damaged }
}
