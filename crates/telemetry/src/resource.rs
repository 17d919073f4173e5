//! Who sends the telemetry.

use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};

use crate::names::AGENT;

/// This program, as `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` describe it. Nothing of the machine or its user is added.
pub(crate) fn resource(service: Option<String>) -> Resource {
    let builder = Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.name", AGENT),
            KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        ])
        .with_detectors(&[Box::new(TelemetryResourceDetector), Box::new(EnvResourceDetector::new())]);
    match service.filter(|name| !name.trim().is_empty()) {
        Some(name) => builder.with_service_name(name).build(),
        None => builder.build(),
    }
}
