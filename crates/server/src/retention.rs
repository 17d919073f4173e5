//! Deleting what is older than the retention, while the server runs.

use std::time::Duration;

use throughline_config::Retention;
use throughline_conversation::SessionId;
use throughline_stored::{PruneOutcome, Storage};
use throughline_text::error_chain;
use tokio::sync::watch;

/// Between two prunes.
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// Prunes at once and then once a day, until the server stops. `forget` gets each session that was deleted.
pub(crate) async fn prune_daily(
    storage: Storage,
    retention: Option<Retention>,
    forget: impl Fn(&SessionId) + Send + Sync,
    mut stopped: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            () = prune(&storage, retention, &forget) => {}
            _ = stopped.changed() => return,
        }
        if tokio::time::timeout(DAY, stopped.changed()).await.is_ok() {
            return;
        }
    }
}

async fn prune(
    storage: &Storage,
    retention: Option<Retention>,
    forget: &(impl Fn(&SessionId) + Send + Sync),
) {
    let tell = |session: &SessionId, outcome: &PruneOutcome| match outcome {
        PruneOutcome::Deleted { .. } => forget(session),
        PruneOutcome::Failed(error) => {
            tracing::warn!(%session, error = error_chain(error), "an old session was not deleted");
        }
        PruneOutcome::Pinned | PruneOutcome::Open => {}
    };
    match storage.prune(retention, false, tell).await {
        Ok(pruned) => tracing::info!(
            sessions = pruned.sessions,
            memos = pruned.memos,
            pinned = pruned.pinned,
            open = pruned.open,
            failed = pruned.failed,
            audit_entries = pruned.entries,
            "deleted what is older than the retention"
        ),
        Err(error) => tracing::warn!(error = error_chain(&error), "old sessions cannot be deleted"),
    }
}
