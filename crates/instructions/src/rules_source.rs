//! The rules as a source of the prompt.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_prompt::{PromptSection, SectionError, SectionSource};
use throughline_text::error_chain;

use crate::places::SessionFolders;
use crate::rules::{Rules, RulesPolicy};

/// Provides the rules as sections of the prompt. Files are read at the first request and again after each compaction: a
/// file that is edited in between changes nothing that the provider has cached, and is not forgotten either.
#[derive(Debug)]
pub struct RulesSource {
    places: SessionFolders,
    policy: RulesPolicy,
    held: Mutex<Option<Arc<Rules>>>,
}

impl RulesSource {
    /// A source that has read nothing yet.
    #[must_use]
    pub fn new(places: SessionFolders, policy: RulesPolicy) -> Self {
        Self { places, policy, held: Mutex::new(None) }
    }

    /// The rules as rendered; reads them on first use.
    ///
    /// # Errors
    /// [`SectionError::Unavailable`] when the runtime ends meanwhile.
    pub async fn rules(&self) -> Result<Arc<Rules>, SectionError> {
        if let Some(held) = self.lock().clone() {
            return Ok(held);
        }
        let (places, policy) = (self.places.clone(), self.policy.clone());
        let loaded = tokio::task::spawn_blocking(move || Rules::load(&places, &policy)).await;
        let loaded = loaded.map_err(|error| SectionError::Unavailable { message: error_chain(&error) })?;
        for problem in loaded.problems() {
            tracing::info!(problem, "rules");
        }
        Ok(Arc::clone(self.lock().get_or_insert(Arc::new(loaded))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<Rules>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SectionSource for RulesSource {
    fn name(&self) -> String {
        "rules".to_owned()
    }

    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError> {
        Ok(self.rules().await?.sections())
    }

    fn renew(&self) {
        *self.lock() = None;
    }
}

#[cfg(test)]
mod tests;
