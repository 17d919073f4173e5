//! Deleting what is older than the retention, while the server runs.

use std::time::Duration;

use throughline_config::Retention;
use throughline_conversation::SessionId;
use throughline_stored::PruneOutcome;
use throughline_text::error_chain;
use tokio::sync::watch;

use crate::app::App;

/// Between two prunes.
const DAY: Duration = Duration::from_secs(24 * 3_600);

/// Prunes at once and then once a day, until the server stops.
pub(crate) async fn prune_daily(app: App, retention: Option<Retention>, mut stopped: watch::Receiver<bool>) {
    loop {
        tokio::select! {
            () = prune(&app, retention) => {}
            _ = stopped.changed() => return,
        }
        if tokio::time::timeout(DAY, stopped.changed()).await.is_ok() {
            return;
        }
    }
}

async fn prune(app: &App, retention: Option<Retention>) {
    let tell = |session: &SessionId, outcome: &PruneOutcome| match outcome {
        PruneOutcome::Deleted => app.forget(session),
        PruneOutcome::Failed(error) => {
            tracing::warn!(%session, error = error_chain(error), "an old session was not deleted");
        }
        PruneOutcome::Pinned | PruneOutcome::Open => {}
    };
    match app.storage.prune(retention, false, tell).await {
        Ok(pruned) => tracing::info!(
            sessions = pruned.sessions,
            pinned = pruned.pinned,
            open = pruned.open,
            failed = pruned.failed,
            audit_entries = pruned.entries,
            "deleted what is older than the retention"
        ),
        Err(error) => {
            tracing::warn!(error = error_chain(&error), "the deletion of old sessions is not complete");
        }
    }
}
