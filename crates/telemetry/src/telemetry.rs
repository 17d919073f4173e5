//! Telemetry of a program.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry::Context;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use throughline_agent::{EventSink, Listeners};
use throughline_conversation::SessionId;
use tokio::runtime::Handle;

use crate::environment::{TelemetryError, Wanted};
use crate::pipeline::Pipeline;
use crate::resource::resource;
use crate::session_trace::SessionTrace;
use crate::spans::Spans;

/// Sends traces and metrics of the sessions of a program.
#[derive(Debug)]
pub struct Telemetry {
    spans: Arc<Spans>,
    pipeline: Pipeline,
}

impl Telemetry {
    /// Telemetry as the `OTEL_*` variables of the environment ask for it; `None`: they ask for none. Requests to the collector
    /// run on the runtime.
    ///
    /// # Errors
    /// [`TelemetryError`] if a variable asks for what cannot be done.
    pub fn from_environment(runtime: &Handle) -> Result<Option<Self>, TelemetryError> {
        let variable = |name: &str| std::env::var(name).ok();
        let Some(wanted) = Wanted::of(&variable)? else { return Ok(None) };
        let pipeline = Pipeline::start(wanted, &resource(variable("OTEL_SERVICE_NAME")), runtime)?;
        let spans = Spans::new(&pipeline.traces, &pipeline.metrics, wanted.content, parent(variable));
        Ok(Some(Self { spans: Arc::new(spans), pipeline }))
    }

    /// Sends what waits, at most so long. Returns what did not arrive, for the user.
    pub async fn finish(&self, within: Duration) -> Option<String> {
        let (ended, end) = tokio::sync::oneshot::channel();
        let pipeline = self.pipeline.clone();
        // Not a task of the runtime: the program may end before it.
        std::thread::spawn(move || {
            pipeline.shutdown();
            // The caller may have stopped waiting.
            let _ = ended.send(());
        });
        match tokio::time::timeout(within, end).await {
            Ok(_) => self.pipeline.problem(),
            Err(_) => {
                let late = || format!("the collector took longer than {} s", within.as_secs());
                Some(self.pipeline.problem().unwrap_or_else(late))
            }
        }
    }
}

impl Listeners for Telemetry {
    fn listen_to(&self, session: &SessionId) -> Arc<dyn EventSink> {
        Arc::new(SessionTrace::new(Arc::clone(&self.spans), session))
    }
}

/// The span that this program works for, by the variables `TRACEPARENT` and `TRACESTATE`.
fn parent(variable: impl Fn(&str) -> Option<String>) -> Context {
    let carried: HashMap<String, String> = ["traceparent", "tracestate"]
        .into_iter()
        .filter_map(|name| variable(&name.to_ascii_uppercase()).map(|value| (name.to_owned(), value)))
        .collect();
    TraceContextPropagator::new().extract_with_context(&Context::new(), &carried)
}
