//! From finished spans and recorded figures to the collector.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry_otlp::{
    MetricExporter, RetryPolicy, SpanExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use throughline_providers::http::{ReqwestTransport, Timeouts};
use tokio::runtime::Handle;

use crate::environment::{TelemetryError, Wanted};
use crate::otlp_client::{Delivery, OtlpClient};

/// The two signals on their way.
#[derive(Debug, Clone)]
pub(crate) struct Pipeline {
    pub(crate) traces: SdkTracerProvider,
    pub(crate) metrics: SdkMeterProvider,
    deliveries: [Delivery; 2],
}

impl Pipeline {
    /// Starts the threads that send what is wanted.
    pub(crate) fn start(
        wanted: Wanted,
        resource: &Resource,
        runtime: &Handle,
    ) -> Result<Self, TelemetryError> {
        let transport = Arc::new(ReqwestTransport::new(Timeouts::default()));
        let deliveries = [Delivery::default(), Delivery::default()];
        let [of_traces, of_metrics] = &deliveries;
        let client = |timeout: Duration, delivery: &Delivery| OtlpClient {
            transport: Arc::clone(&transport) as _,
            runtime: runtime.clone(),
            timeout,
            delivery: delivery.clone(),
        };
        // A second try waits on the exporter's thread while the queue fills up, and delays the end of the program.
        let retries = RetryPolicy::recommended().with_max_retries(1);
        let mut traces = SdkTracerProvider::builder().with_resource(resource.clone());
        traces = match wanted.traces {
            None => traces.with_sampler(Sampler::AlwaysOff),
            Some(timeout) => {
                let exporter = SpanExporter::builder()
                    .with_http()
                    .with_timeout(timeout)
                    .with_retry_policy(retries.clone())
                    .with_http_client(client(timeout, of_traces))
                    .build()
                    .map_err(|error| build("traces", &error))?;
                traces.with_batch_exporter(exporter)
            }
        };
        let mut metrics = SdkMeterProvider::builder().with_resource(resource.clone());
        if let Some(timeout) = wanted.metrics {
            let exporter = MetricExporter::builder()
                .with_http()
                .with_timeout(timeout)
                .with_retry_policy(retries)
                .with_http_client(client(timeout, of_metrics))
                .build()
                .map_err(|error| build("metrics", &error))?;
            metrics = metrics.with_periodic_exporter(exporter);
        }
        Ok(Self { traces: traces.build(), metrics: metrics.build(), deliveries })
    }

    /// Sends what waits and ends the threads. It blocks as long as the collector may take.
    pub(crate) fn shutdown(&self) {
        let (metrics, traces) = (self.metrics.clone(), self.traces.clone());
        // Side by side: a collector that is gone costs the longer of both times, not their sum.
        let metrics = std::thread::spawn(move || drop(metrics.shutdown()));
        drop(traces.shutdown());
        drop(metrics.join());
    }

    /// Why the last request of a signal did not arrive.
    pub(crate) fn problem(&self) -> Option<String> {
        self.deliveries.iter().find_map(Delivery::problem)
    }
}

fn build(signal: &'static str, error: &opentelemetry_otlp::ExporterBuildError) -> TelemetryError {
    TelemetryError::Build { signal, why: error.to_string() }
}
