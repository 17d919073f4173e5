//! Stored results of a sub-agent that its report names: the session that it worked for can read them, too.

use throughline_conversation::{ResultRef, SessionId};
use throughline_ledger::refs;
use throughline_resultstore::StoredResult;
use throughline_stored::Storage;
use throughline_text::error_chain;

/// Results that are copied at most.
const MAX: usize = 20;

/// Copies the results that a report names. What cannot be copied is logged; the report is unchanged.
pub(super) async fn copy(storage: &Storage, report: &str, from: &SessionId, to: &SessionId) {
    let repository = storage.results();
    for id in named(report) {
        let copied = async {
            if let Some(found) = repository.get(from, &id).await? {
                repository.put(&StoredResult { session: to.clone(), ..found }).await?;
            }
            Ok::<(), throughline_resultstore::StoreError>(())
        };
        if let Err(error) = copied.await {
            tracing::warn!(%id, error = error_chain(&error), "a result of a sub-agent could not be copied");
        }
    }
}

/// The references in a text, each once.
fn named(report: &str) -> Vec<ResultRef> {
    let mut found: Vec<&str> = Vec::new();
    for name in refs(report) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found.into_iter().take(MAX).map(ResultRef::from_text).collect()
}

#[cfg(test)]
mod tests;
