//! Telemetry: the spans and metrics of a run at a collector, without texts unless they are asked for, and collectors that are
//! gone, silent or refuse.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_testserver::{Answer, ErrorKind, Script, Server};

use crate::otlp::{Collector, Manner, Traced};
use crate::place::{KEY, Place, serve};
use crate::ran::{assert_says, last_object, run};
use crate::serve::Served;

const MODEL: (&str, &str) = ("anthropic", "claude-sonnet-4-5");
const PROMPT: &str = "What is in the file of the walrus?";
const ANSWER: &str = "It says alpha, says the marmot.";
const HEADER: &str = "collector-canary-77";

fn reading() -> Server {
    let read = Answer::call("call_7", "read_file", json!({ "path": "a.txt" }));
    serve(Script::new().then(read).then(Answer::text(ANSWER)))
}

fn asks(place: &Place, server: &Server, collector: &Collector) -> Command {
    let mut command = place.asks(server, MODEL, &["-o", "json", PROMPT]);
    collector.of(&mut command).env("OTEL_EXPORTER_OTLP_HEADERS", format!("x-collector-key={HEADER}"));
    command
}

/// The span names the server that was asked.
pub(crate) fn assert_at(span: &Traced, server: &Server) {
    let port: u16 = server.url().rsplit(':').next().unwrap().parse().unwrap();
    let at = (span.at("server.address"), span.at("server.port"));
    assert_eq!(at, (&json!("127.0.0.1"), &json!(port)), "{span:?}");
}

pub(crate) fn one<'a>(spans: &'a [Traced], name: &str) -> &'a Traced {
    let found: Vec<&Traced> = spans.iter().filter(|span| span.name == name).collect();
    assert_eq!(found.len(), 1, "{name}: {spans:?}");
    found[0]
}

fn sum(spans: &[&Traced], name: &str) -> u64 {
    spans.iter().map(|span| span.at(name).as_u64().unwrap()).sum()
}

#[test]
fn a_turn_is_one_trace_with_its_requests_and_tools() {
    let (place, server, collector) = (Place::new(), reading(), Collector::start(Manner::Takes));
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let ran = run(asks(&place, &server, &collector)
        .env("OTEL_SERVICE_NAME", "night-shift")
        .env("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
        .env("TRACEPARENT", format!("00-{trace}-b7ad6b7169203331-01")));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let session = last_object(&ran)["session"].clone();

    let spans = collector.spans();
    let names: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    let chat = "chat claude-sonnet-4-5";
    assert_eq!(names, ["invoke_agent throughline", chat, "execute_tool read_file", chat]);
    let turn = &spans[0];
    assert_eq!(turn.parent, [0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31]);
    for span in &spans {
        assert_eq!(span.trace.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), trace);
        assert_eq!(span.at("gen_ai.conversation.id"), &session, "{span:?}");
        assert_eq!((span.status, span.at("error.type")), (0, &Value::Null), "{span:?}");
        assert_eq!(span.resource["service.name"], "night-shift");
        assert_eq!(span.resource["deployment.environment.name"], "test");
        assert_eq!(span.resource["service.version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(span.schema, "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev");
        assert!(span.name == turn.name || span.parent == turn.id, "{span:?}");
    }
    let chats: Vec<&Traced> = spans.iter().filter(|span| span.name == chat).collect();
    for (number, span) in (1..).zip(&chats) {
        assert_eq!((span.kind, span.at("gen_ai.operation.name")), (3, &json!("chat")));
        assert_eq!(span.at("gen_ai.provider.name"), "anthropic");
        assert_eq!(span.at("gen_ai.request.model"), "claude-sonnet-4-5");
        assert_eq!(span.at("throughline.request.number"), number);
        assert_eq!(span.at("throughline.request.purpose"), "turn");
        assert_at(span, &server);
        assert!(span.at("gen_ai.response.id").is_string(), "{span:?}");
        assert_eq!(span.at("gen_ai.response.model"), "claude-sonnet-4-5");
        assert!(span.at("gen_ai.usage.input_tokens").as_u64() > Some(0), "{span:?}");
    }
    assert_eq!(chats[0].at("gen_ai.response.finish_reasons"), &json!(["tool_use"]));
    assert_eq!(chats[1].at("gen_ai.response.finish_reasons"), &json!(["end_turn"]));
    assert!(chats[1].at("gen_ai.response.time_to_first_chunk").is_f64(), "{:?}", chats[1]);
    for name in
        ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "gen_ai.usage.cache_read.input_tokens"]
    {
        assert_eq!(turn.at(name), sum(&chats, name), "{name}");
    }
    assert_eq!((turn.kind, turn.at("gen_ai.agent.name")), (1, &json!("throughline")));
    let tool = one(&spans, "execute_tool read_file");
    assert_eq!(
        (tool.at("gen_ai.tool.call.id"), tool.at("gen_ai.tool.type")),
        (&json!("call_7"), &json!("function"))
    );
    assert!(tool.at("throughline.tool.result_bytes").as_u64() > Some(0), "{tool:?}");
    let metrics = collector.metrics();
    for name in [
        "gen_ai.client.token.usage",
        "gen_ai.client.operation.duration",
        "gen_ai.client.inference.duration",
        "gen_ai.client.inference.usage.input_tokens",
        "gen_ai.invoke_agent.duration",
        "gen_ai.execute_tool.duration",
    ] {
        assert!(metrics.iter().any(|metric| metric == name), "{name} is not in {metrics:?}");
    }
}

#[test]
fn texts_are_sent_only_if_they_are_asked_for_and_secrets_never() {
    let (place, server, collector) = (Place::new(), reading(), Collector::start(Manner::Takes));
    assert_eq!(run(&mut asks(&place, &server, &collector)).code, Some(0));
    let sent = collector.everything();
    let home = place.folder.path().display().to_string();
    for text in ["walrus", "marmot", "alpha", "a.txt", &home] {
        assert!(!sent.contains(text), "{text:?} was sent");
    }
    let posted = collector.posted();
    assert!(posted.iter().all(|posted| posted.head.contains(&format!("x-collector-key: {HEADER}"))));
    assert!(posted.iter().all(|posted| posted.head.contains("content-type: application/x-protobuf")));
    assert!(!sent.contains(KEY) && !sent.contains(HEADER));

    let (server, collector) = (reading(), Collector::start(Manner::Takes));
    let mut command = asks(&place, &server, &collector);
    command.env("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true");
    assert_eq!(run(&mut command).code, Some(0));
    let spans = collector.spans();
    let text = |span: &Traced, name: &str| span.at(name).as_str().unwrap().to_owned();
    let turn = one(&spans, "invoke_agent throughline");
    let asked: Value = serde_json::from_str(&text(turn, "gen_ai.input.messages")).unwrap();
    assert_eq!(asked, json!([{ "role": "user", "parts": [{ "type": "text", "content": PROMPT }] }]));
    let answered: Value = serde_json::from_str(&text(turn, "gen_ai.output.messages")).unwrap();
    let said = json!([{ "type": "text", "content": ANSWER }]);
    assert_eq!(answered, json!([{ "role": "assistant", "parts": said, "finish_reason": "stop" }]));
    let tool = one(&spans, "execute_tool read_file");
    let chat = spans.iter().find(|span| span.name == "chat claude-sonnet-4-5").unwrap();
    let called: Value = serde_json::from_str(&text(chat, "gen_ai.output.messages")).unwrap();
    let input = json!({ "path": "a.txt" });
    let call = json!([{ "type": "tool_call", "id": "call_7", "name": "read_file", "arguments": input }]);
    assert_eq!(called, json!([{ "role": "assistant", "parts": call, "finish_reason": "tool_call" }]));
    // The request ends with its answer, not with the calls in it.
    assert!(chat.end <= tool.end && tool.begin >= chat.end, "{chat:?} {tool:?}");
    assert_says(&text(tool, "gen_ai.tool.call.arguments"), &["a.txt"]);
    assert_says(&text(tool, "gen_ai.tool.call.result"), &["alpha", "beta"]);
    let sent = collector.everything();
    assert!(!sent.contains(KEY) && !sent.contains(HEADER));
}

#[test]
fn a_compaction_has_its_tokens_by_component_its_price_and_its_cause() {
    let place = Place::new();
    let lines = (0..90).map(|row| format!("fn helper_{row}() -> u64 {{ {row} + {row} * {row} }}\n"));
    std::fs::write(place.work().join("total.rs"), lines.collect::<String>()).unwrap();
    let settings = place.folder.path().join("engine.toml").display().to_string();
    std::fs::write(&settings, "[agent]\neconomy = \"lean\"\n[compaction]\nthreshold = 1\n").unwrap();
    let read = Answer::call("c1", "read_file", json!({ "path": "total.rs" }));
    let server = serve(Script::new().then(read).then(Answer::text("I have read it.")).repeat_last());
    assert_eq!(
        run(&mut place.asks(&server, MODEL, &["--config", &settings, "Read total.rs."])).code,
        Some(0)
    );
    let collector = Collector::start(Manner::Takes);
    let ran = run(collector.of(&mut place.asks(&server, MODEL, &["--config", &settings, "-c", "Continue."])));
    assert_eq!(ran.code, Some(0), "{ran:?}");

    let spans = collector.spans();
    let turn = one(&spans, "invoke_agent throughline");
    let compactions: Vec<&Traced> =
        spans.iter().filter(|span| span.name == "throughline.compaction").collect();
    let made = compactions.iter().find(|span| span.at("throughline.compaction.outcome") == "compacted");
    let made = made.unwrap_or_else(|| panic!("{ran:?} {spans:?}"));
    assert_eq!((&made.parent, made.status), (&turn.id, 0));
    let at = |name: &str| made.at(&format!("throughline.compaction.{name}"));
    let tokens = |name: &str| at(name).as_u64().unwrap_or_else(|| panic!("{name}: {made:?}"));
    for when in ["before", "after"] {
        let parts = ["system", "skills", "tools", "conversation"];
        let parts: u64 = parts.iter().map(|part| tokens(&format!("{when}.{part}_tokens"))).sum();
        assert_eq!(tokens(&format!("{when}.tokens")), parts, "{made:?}");
    }
    assert!(tokens("after.conversation_tokens") < tokens("before.conversation_tokens"), "{made:?}");
    assert_eq!(at("reason"), "compact_threshold");
    assert!(!at("strategies").as_array().unwrap().is_empty(), "{made:?}");
    let later = spans.iter().rfind(|span| span.name == "chat claude-sonnet-4-5").unwrap();
    assert_eq!(later.at("gen_ai.conversation.compacted"), true, "{later:?}");
    assert!(collector.metrics().iter().any(|name| name == "throughline.compaction.removed_tokens"));
    assert!(at("price.verdict").is_string() && at("price.cost").is_f64(), "{made:?}");
}

#[test]
fn turns_of_a_server_are_traced_and_sent_when_it_ends() {
    let (place, server, collector) = (Place::new(), reading(), Collector::start(Manner::Takes));
    std::fs::write(place.work().join("key"), KEY).unwrap();
    let (url, (provider, model)) = (server.url(), MODEL);
    let args = ["serve", "--port", "0", "--provider", provider, "--model", model, "--base-url", &url];
    let mut command = place.bare(&args);
    command.args(["--key-file", "key"]);
    let served = Served::started(collector.of(&mut command));
    let answer = served.posted("/api/sessions", &json!({ "prompt": PROMPT }));
    assert_says(&answer, &["\"outcome\":\"done\"", ANSWER]);
    assert_eq!(served.stopped_by("-TERM"), Some(0));
    assert_eq!(collector.spans().len(), 4, "{:?}", collector.spans());
    let turn = collector.spans().remove(0);
    assert_eq!((turn.name.as_str(), turn.parent.len()), ("invoke_agent throughline", 0));
}

#[test]
fn attempts_of_a_request_are_one_span() {
    let (place, collector) = (Place::new(), Collector::start(Manner::Takes));
    let server = serve(Script::new().then(Answer::error(ErrorKind::Overloaded)).then(Answer::text(ANSWER)));
    assert_eq!(run(&mut asks(&place, &server, &collector)).code, Some(0));
    let spans = collector.spans();
    let chat = one(&spans, "chat claude-sonnet-4-5");
    assert_eq!((chat.events.as_slice(), chat.status), (&["throughline.retry".to_owned()][..], 0));
}

#[test]
fn a_request_without_an_answer_has_the_kind_of_its_error_and_no_words_of_it() {
    let (place, collector) = (Place::new(), Collector::start(Manner::Takes));
    let server = serve(Script::new().then(Answer::error(ErrorKind::Unauthorized)).repeat_last());
    let ran = run(&mut asks(&place, &server, &collector));
    assert_ne!(ran.code, Some(0), "{ran:?}");
    let spans = collector.spans();
    for name in ["invoke_agent throughline", "chat claude-sonnet-4-5"] {
        let span = one(&spans, name);
        assert_eq!((span.at("error.type"), span.status), (&json!("unauthorized"), 2), "{span:?}");
    }
}

#[test]
fn a_collector_that_is_gone_silent_or_refuses_changes_nothing_of_a_run() {
    let place = Place::new();
    let expected =
        last_object(&run(&mut place.asks(&reading(), MODEL, &["-o", "json", PROMPT])))["text"].clone();
    let (silent, refusing) = (Collector::start(Manner::Silent), Collector::start(Manner::Refuses));
    let gone = "http://127.0.0.1:9".to_owned();
    for (url, says) in [
        (gone, "no connection"),
        (silent.url.clone(), "took longer than 3 s"),
        (refusing.url.clone(), "status 401"),
    ] {
        let server = reading();
        let mut command = place.asks(&server, MODEL, &["-o", "json", PROMPT]);
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("{url}/?key={HEADER}"));
        let begin = Instant::now();
        let ran = run(&mut command);
        assert_eq!((ran.code, &last_object(&ran)["text"]), (Some(0), &expected), "{ran:?}");
        // Three seconds of waiting, and the run itself on a busy machine.
        assert!(begin.elapsed() < Duration::from_secs(30), "{url}: {:?}", begin.elapsed());
        assert_says(&ran.err, &["telemetry did not arrive", says]);
        assert!(!ran.err.contains(HEADER) && ran.err.lines().count() == 1, "{ran:?}");
    }
}

#[test]
fn nothing_is_sent_unless_it_is_asked_for() {
    let (place, collector) = (Place::new(), Collector::start(Manner::Takes));
    let off: [&[(&str, &str)]; 3] = [
        &[("OTEL_SDK_DISABLED", "true")],
        &[("OTEL_TRACES_EXPORTER", "none"), ("OTEL_METRICS_EXPORTER", "none")],
        &[("OTEL_EXPORTER_OTLP_ENDPOINT", "")],
    ];
    for set in off {
        let server = reading();
        let ran = run(asks(&place, &server, &collector).envs(set.iter().copied()));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    }
    let server = reading();
    let ran = run(asks(&place, &server, &collector).env("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["no telemetry is sent", "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"]);
    assert!(collector.posted().is_empty(), "{:?}", collector.posted());

    let server = reading();
    assert_eq!(run(asks(&place, &server, &collector).env("OTEL_METRICS_EXPORTER", "none")).code, Some(0));
    assert!(collector.metrics().is_empty() && collector.spans().len() == 4);
}
