//! Figures of the server for Prometheus.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::answer::Failure;
use crate::app::App;

/// The form that [`encode`] writes.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The class of a status, such as 200 for 204.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StatusLabel {
    status: u16,
}

/// Counters and gauges. Gauges are read when they are asked for.
#[derive(Debug, Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    requests: Family<StatusLabel, Counter<u64, AtomicU64>>,
    turns: Gauge,
    turn_limit: Gauge,
    contexts: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("throughline");
        let (requests, turns) = (Family::default(), Gauge::default());
        let (turn_limit, contexts) = (Gauge::default(), Gauge::default());
        registry.register(
            "http_requests",
            "Answered requests by class of their status, probes left out",
            Family::clone(&requests),
        );
        registry.register("turns_running", "Turns that run", Gauge::clone(&turns));
        registry.register("turns_limit", "Turns that may run at the same time", Gauge::clone(&turn_limit));
        registry.register("contexts_open", "Contexts that are open", Gauge::clone(&contexts));
        Self { registry: Arc::new(registry), requests, turns, turn_limit, contexts }
    }
}

/// The figures of this moment.
pub(crate) async fn show(State(app): State<App>) -> Result<Response, Failure> {
    let metrics = &app.metrics;
    let size = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    metrics.turns.set(size(app.turns.count()));
    metrics.turn_limit.set(size(app.turns.options().max_turns));
    metrics.contexts.set(size(app.contexts.list().contexts.len()));
    let mut text = String::new();
    encode(&mut text, &metrics.registry).map_err(|error| Failure::broken(error.to_string()))?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text).into_response())
}

/// Counts an answer.
pub(crate) async fn counted(State(metrics): State<Metrics>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status().as_u16() / 100 * 100;
    metrics.requests.get_or_create(&StatusLabel { status }).inc();
    response
}
