//! Spans of requests that are no messages of the session: summaries, a provider's compaction, STATE, contexts for other agents.

use serde_json::json;
use throughline_conversation::Usage;
use throughline_testserver::{Answer, Script, Server};

use crate::lived::MODEL;
use crate::otlp::{Collector, Manner, Traced};
use crate::place::serve;
use crate::provider_compaction::Long;
use crate::ran::{Ran, assert_says, run};
use crate::telemetry::{assert_at, one};
use crate::watch_contexts::{SUMMARY, summarized};

const NOTES: &str = "### Now\nThe parser of the house is next.\n### Done\nFive stories were written.";
const USED: Usage = Usage { input: 11, cache_read: 500, cache_write: 20, output: 70, searches: 0 };

/// Continues the session with a command, and sends its telemetry to a collector.
fn command(long: &Long, command: &str, summarizer: &str) -> (Ran, Collector) {
    let collector = Collector::start(Manner::Takes);
    let mut asking = long.lived.place.asks(&long.server, MODEL, &["-c", command]);
    let ran = run(collector.of(&mut asking).env("THROUGHLINE_COMPACTION_SUMMARIZER", summarizer));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (ran, collector)
}

fn for_purpose<'a>(spans: &'a [Traced], purpose: &str) -> &'a Traced {
    let found: Vec<&Traced> =
        spans.iter().filter(|span| span.at("throughline.request.purpose") == purpose).collect();
    assert_eq!(found.len(), 1, "{purpose}: {spans:?}");
    found[0]
}

/// The span is a request that was answered with these tokens.
fn assert_answered(span: &Traced, server: &Server, stop: &str) {
    assert_eq!((span.kind, span.status, span.at("gen_ai.operation.name")), (3, 0, &json!("chat")));
    assert_eq!(span.name, format!("chat {}", span.at("gen_ai.request.model").as_str().unwrap()));
    assert_eq!(span.at("gen_ai.provider.name"), "anthropic");
    assert!(span.at("gen_ai.response.id").as_str().unwrap().starts_with("msg_"), "{span:?}");
    assert_eq!(span.at("gen_ai.response.model"), span.at("gen_ai.request.model"));
    assert_eq!(span.at("gen_ai.response.finish_reasons"), &json!([stop]));
    for (name, tokens) in [
        ("input_tokens", 531),
        ("output_tokens", 70),
        ("cache_read.input_tokens", 500),
        ("cache_creation.input_tokens", 20),
        ("cache_write.input_tokens", 20),
    ] {
        assert_eq!(span.at(&format!("gen_ai.usage.{name}")), tokens, "{name}: {span:?}");
    }
    assert_at(span, server);
}

#[test]
fn a_summary_is_a_request_below_its_compaction() {
    let long = Long::new(MODEL);
    long.server.push(Answer::text(NOTES).usage(USED));
    let (ran, collector) = command(&long, "/compact", "model");
    assert_says(&ran.out, &["Compacted "]);
    let spans = collector.spans();
    let compaction = one(&spans, "throughline.compaction");
    let summary = for_purpose(&spans, "summary");
    assert_answered(summary, &long.server, "end_turn");
    assert_eq!((&summary.parent, &summary.trace), (&compaction.id, &compaction.trace));
    assert_eq!(summary.at("gen_ai.conversation.id"), compaction.at("gen_ai.conversation.id"));
    assert!(summary.at("gen_ai.conversation.id").is_string());
    assert!(summary.begin >= compaction.begin && summary.end <= compaction.end, "{spans:?}");
    // Counted once, by both kinds of metric.
    for name in ["gen_ai.client.token.usage", "gen_ai.client.inference.usage.input_tokens"] {
        assert_eq!(collector.total(name, "input"), 531, "{name}");
    }
    assert_eq!(collector.recorded("gen_ai.client.operation.duration"), 1);
}

#[test]
fn a_provider_that_refuses_its_compaction_has_a_span_of_its_own() {
    let unknown = "Unexpected value(s) `compact-2026-09-04` for the `anthropic-beta` header";
    let refused = json!({"type": "error", "error": {"type": "invalid_request_error", "message": unknown}});
    let long = Long::new(MODEL);
    long.server.push(Answer::status(400, refused));
    long.server.push(Answer::text(NOTES).usage(USED));
    let (_, collector) = command(&long, "/compact", "provider");
    let spans = collector.spans();
    let compaction = one(&spans, "throughline.compaction");
    let (asked, summary) = (for_purpose(&spans, "provider_compaction"), for_purpose(&spans, "summary"));
    assert_eq!((asked.at("error.type"), asked.status), (&json!("unsupported"), 2), "{asked:?}");
    assert_eq!((&asked.parent, &summary.parent), (&compaction.id, &compaction.id));
    assert_at(asked, &long.server);
    assert_answered(summary, &long.server, "end_turn");
    assert!(!collector.everything().contains("Unexpected value"));
}

#[test]
fn a_compaction_of_the_provider_has_its_tokens_and_its_name_of_the_answer() {
    let long = Long::new(MODEL);
    long.server.push(Answer::text(NOTES).usage(USED));
    let (_, collector) = command(&long, "/compact", "provider");
    let spans = collector.spans();
    let asked = for_purpose(&spans, "provider_compaction");
    assert_answered(asked, &long.server, "compaction");
    assert_eq!(asked.parent, one(&spans, "throughline.compaction").id);
    assert_eq!(collector.total("gen_ai.client.token.usage", "output"), 70);
}

#[test]
fn a_summary_that_fails_is_asked_for_again_and_has_the_kind_of_its_error() {
    let long = Long::new(MODEL);
    long.server.push(Answer::status(
        429,
        json!({"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}),
    ));
    long.server.push(Answer::text(NOTES).usage(USED));
    let (ran, collector) = command(&long, "/compact", "model");
    assert!(ran.out.contains("Compacted ") && !ran.err.contains("extractive"), "{ran:?}");
    let spans = collector.spans();
    let summaries: Vec<&Traced> =
        spans.iter().filter(|span| span.at("throughline.request.purpose") == "summary").collect();
    assert_eq!(summaries.len(), 2, "{summaries:?}");
    let (failed, answered) = (summaries[0], summaries[1]);
    assert_eq!((failed.at("error.type"), failed.status), (&json!("rate_limited"), 2), "{failed:?}");
    assert_eq!(failed.at("gen_ai.usage.input_tokens"), &json!(null));
    assert_answered(answered, &long.server, "end_turn");
    assert_eq!(collector.recorded("gen_ai.client.operation.duration"), 2);
}

#[test]
fn a_state_that_a_model_writes_is_a_request_of_the_session() {
    let long = Long::new(MODEL);
    long.server.push(Answer::text("Goal: stories").usage(USED));
    let (_, collector) = command(&long, "/context rebuild", "model");
    let spans = collector.spans();
    let state = for_purpose(&spans, "state");
    assert_answered(state, &long.server, "end_turn");
    assert!(state.at("gen_ai.conversation.id").is_string());
    assert_eq!(collector.total("gen_ai.client.token.usage", "input"), 531);
}

#[test]
fn a_context_that_a_model_writes_for_another_agent_is_a_request() {
    let server = serve(Script::new().then(Answer::text(SUMMARY).usage(USED)));
    let collector = Collector::start(Manner::Takes);
    let mut watched = summarized(&server);
    watched.variables = vec![("OTEL_EXPORTER_OTLP_ENDPOINT".to_owned(), collector.url.clone())];
    assert_says(&watched.context("compact"), &["Trailing commas in lists"]);
    let spans = collector.spans();
    let context = for_purpose(&spans, "session_context");
    assert_answered(context, &server, "end_turn");
    assert!(context.parent.is_empty() && context.at("gen_ai.conversation.id").is_string());
    assert!(!collector.everything().contains("Trailing commas"));
}
