//! Traces and metrics of the sessions of this program, if it was built with them and the environment asks for them.

use std::sync::Arc;

use throughline_session::Listeners;

/// Who receives the events of every session.
pub(crate) fn listeners() -> Option<Arc<dyn Listeners>> {
    sender::listeners()
}

/// Sends what waits, for a bounded time.
pub(crate) async fn finish() {
    sender::finish().await;
}

#[cfg(feature = "telemetry")]
mod sender {
    use std::sync::{Arc, OnceLock};
    use std::time::Duration;

    use throughline_session::Listeners;
    use throughline_telemetry::Telemetry;
    use throughline_text::error_chain;
    use tokio::runtime::Handle;

    use throughline_terminal::note;

    /// How long the program waits at its end for the collector.
    const LAST_SPANS: Duration = Duration::from_secs(3);

    /// Made when the first session is opened; most commands open none.
    static TELEMETRY: OnceLock<Option<Arc<Telemetry>>> = OnceLock::new();

    pub(super) fn listeners() -> Option<Arc<dyn Listeners>> {
        let telemetry = TELEMETRY.get_or_init(|| match Telemetry::from_environment(&Handle::current()) {
            Ok(telemetry) => telemetry.map(Arc::new),
            Err(error) => {
                note(&format!("no telemetry is sent: {}", error_chain(&error)));
                None
            }
        });
        telemetry.clone().map(|telemetry| telemetry as Arc<dyn Listeners>)
    }

    pub(super) async fn finish() {
        let Some(Some(telemetry)) = TELEMETRY.get() else { return };
        if let Some(problem) = telemetry.finish(LAST_SPANS).await {
            note(&format!("telemetry did not arrive: {problem}"));
        }
    }
}

#[cfg(not(feature = "telemetry"))]
mod sender {
    use std::sync::Arc;

    use throughline_session::Listeners;

    pub(super) fn listeners() -> Option<Arc<dyn Listeners>> {
        None
    }

    pub(super) async fn finish() {}
}
