//! Making spans, and what all of them have.

use std::time::{Duration, Instant, SystemTime};

use opentelemetry::metrics::MeterProvider as _;
use opentelemetry::trace::{
    Span as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, InstrumentationScope, KeyValue};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};
use serde_json::json;
use throughline_conversation::Usage;
use throughline_text::cut_end;

use crate::instruments::Instruments;
use crate::names::{ERROR, SCHEMA, USAGE_CREATION, USAGE_INPUT, USAGE_OUTPUT, USAGE_READ, USAGE_WRITE};

/// Maximum bytes of one text in an attribute; collectors refuse larger requests.
pub(crate) const TEXT: usize = 64 * 1024;

/// Makes spans and records figures.
#[derive(Debug)]
pub(crate) struct Spans {
    tracer: SdkTracer,
    pub(crate) instruments: Instruments,
    /// Spans have the texts of users, models and tools.
    pub(crate) content: bool,
    /// The span that this program works for.
    parent: Context,
}

impl Spans {
    pub(crate) fn new(
        traces: &SdkTracerProvider,
        metrics: &SdkMeterProvider,
        content: bool,
        parent: Context,
    ) -> Self {
        let scope = InstrumentationScope::builder(env!("CARGO_PKG_NAME"))
            .with_version(env!("CARGO_PKG_VERSION"))
            .with_schema_url(SCHEMA)
            .build();
        let instruments = Instruments::new(&metrics.meter_with_scope(scope.clone()));
        Self { tracer: traces.tracer_with_scope(scope), instruments, content, parent }
    }

    /// Begins a span; without a parent below the one that this program works for.
    pub(crate) fn begin(
        &self,
        name: String,
        kind: SpanKind,
        parent: Option<&OpenSpan>,
        attributes: Vec<KeyValue>,
    ) -> OpenSpan {
        self.begin_at(Since::now(), name, kind, parent, attributes)
    }

    /// The same for a span that began before.
    pub(crate) fn begin_at(
        &self,
        since: Since,
        name: String,
        kind: SpanKind,
        parent: Option<&OpenSpan>,
        attributes: Vec<KeyValue>,
    ) -> OpenSpan {
        let builder = self.tracer.span_builder(name).with_kind(kind).with_start_time(since.time);
        let builder = builder.with_attributes(attributes);
        let span = match parent {
            Some(parent) => {
                let context = Context::new().with_remote_span_context(parent.span.span_context().clone());
                builder.start_with_context(&self.tracer, &context)
            }
            None => builder.start_with_context(&self.tracer, &self.parent),
        };
        OpenSpan { span, since }
    }
}

/// When something began, by the clock and for measuring.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Since {
    time: SystemTime,
    instant: Instant,
}

impl Since {
    pub(crate) fn now() -> Self {
        Self { time: SystemTime::now(), instant: Instant::now() }
    }
}

/// A span that has not ended. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct OpenSpan {
    span: Span,
    since: Since,
}

impl OpenSpan {
    /// Time since it began.
    pub(crate) fn age(&self) -> Duration {
        self.since.instant.elapsed()
    }

    pub(crate) fn set(&mut self, attribute: KeyValue) {
        self.span.set_attribute(attribute);
    }

    pub(crate) fn set_all(&mut self, attributes: impl IntoIterator<Item = KeyValue>) {
        self.span.set_attributes(attributes);
    }

    pub(crate) fn event(&mut self, name: &'static str, attributes: Vec<KeyValue>) {
        self.span.add_event(name, attributes);
    }

    /// Ends it at a time that is past.
    pub(crate) fn end_at(mut self, time: SystemTime) {
        self.span.end_with_timestamp(time);
    }

    /// Ends it, with the kind of its error. Returns how long it took.
    pub(crate) fn end(mut self, error: Option<&'static str>) -> Duration {
        if let Some(error) = error {
            self.span.set_attribute(KeyValue::new(ERROR, error));
            // Without a description: the text of an error can hold what a user or a provider wrote.
            self.span.set_status(Status::error(""));
        }
        let took = self.age();
        self.span.end();
        took
    }
}

/// The attributes of a provider's usage report.
pub(crate) fn usage(usage: &Usage) -> [KeyValue; 5] {
    [
        tokens(USAGE_INPUT, usage.prompt()),
        tokens(USAGE_OUTPUT, usage.output),
        tokens(USAGE_READ, usage.cache_read),
        tokens(USAGE_WRITE, usage.cache_write),
        tokens(USAGE_CREATION, usage.cache_write),
    ]
}

/// A number as an attribute.
pub(crate) fn tokens(name: &'static str, tokens: u64) -> KeyValue {
    KeyValue::new(name, i64::try_from(tokens).unwrap_or(i64::MAX))
}

/// A text of a user, a model or a tool.
pub(crate) fn text(name: &'static str, text: &str) -> KeyValue {
    KeyValue::new(name, cut_end(text, TEXT).to_owned())
}

/// One message, in the form that the conventions give messages.
pub(crate) fn message(name: &'static str, role: &str, content: &str) -> KeyValue {
    let part = json!({ "type": "text", "content": cut_end(content, TEXT) });
    KeyValue::new(name, json!([{ "role": role, "parts": [part] }]).to_string())
}
