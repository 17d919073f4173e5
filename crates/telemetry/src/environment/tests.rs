//! Tests of the variables: what asks for telemetry, and what is refused.

use std::time::Duration;

use super::{TelemetryError, Wanted};

const BASE: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

fn wanted(set: &[(&str, &str)]) -> Result<Option<Wanted>, TelemetryError> {
    Wanted::of(&|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
}

/// True for traces, metrics and content that are sent.
fn sent(set: &[(&str, &str)]) -> (bool, bool, bool) {
    wanted(set).unwrap().map_or((false, false, false), |wanted| {
        (wanted.traces.is_some(), wanted.metrics.is_some(), wanted.content)
    })
}

fn refused(set: &[(&str, &str)]) -> String {
    wanted(set).unwrap_err().to_string()
}

#[test]
fn nothing_is_sent_unless_a_variable_asks_for_it() {
    let nothing = (false, false, false);
    assert_eq!(sent(&[]), nothing);
    assert_eq!(sent(&[(BASE, " ")]), nothing);
    assert_eq!(sent(&[("OTEL_SERVICE_NAME", "agent"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]), nothing);
    assert_eq!(sent(&[("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")]), nothing);
    assert_eq!(sent(&[(BASE, "http://c:4318"), ("OTEL_SDK_DISABLED", "TRUE")]), nothing);
}

#[test]
fn signals_are_asked_for_one_by_one() {
    assert_eq!(sent(&[(BASE, "http://c:4318")]), (true, true, false));
    assert_eq!(sent(&[(BASE, "http://c:4318"), ("OTEL_METRICS_EXPORTER", "none")]), (true, false, false));
    assert_eq!(sent(&[("OTEL_TRACES_EXPORTER", "otlp")]), (true, false, false));
    assert_eq!(sent(&[("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "http://c/m")]), (false, true, false));
}

#[test]
fn content_needs_a_word_of_its_own() {
    let content =
        |value| sent(&[(BASE, "http://c"), ("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", value)]).2;
    assert!(content("true") && content("SPAN_ONLY") && content("span_and_event"));
    assert!(!content("false") && !content("1") && !content("event_only") && !content("NO_CONTENT"));
}

#[test]
fn what_cannot_be_used_is_named_without_an_address() {
    let protocol = refused(&[(BASE, "http://c"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]);
    assert!(
        protocol.contains("OTEL_EXPORTER_OTLP_PROTOCOL is \"grpc\"") && protocol.contains("4318"),
        "{protocol}"
    );
    let exporter = refused(&[("OTEL_TRACES_EXPORTER", "console")]);
    assert!(exporter.contains("OTEL_TRACES_EXPORTER is \"console\""), "{exporter}");
    let endpoint = refused(&[(BASE, "collector:4318/?key=secret")]);
    assert!(endpoint.contains(BASE) && !endpoint.contains("secret"), "{endpoint}");
    let timeout = refused(&[(BASE, "http://c"), ("OTEL_EXPORTER_OTLP_TIMEOUT", "2s")]);
    assert!(timeout.contains("milliseconds"), "{timeout}");
}

#[test]
fn the_variable_of_a_signal_wins() {
    let set = [
        (BASE, "http://c"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"),
        ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "250"),
    ];
    let wanted = wanted(&set).unwrap().unwrap();
    assert_eq!(wanted.traces, Some(Duration::from_millis(250)));
    assert_eq!(wanted.metrics, Some(Duration::from_secs(1)));
}
