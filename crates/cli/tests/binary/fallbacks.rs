//! Models that take over when the first one cannot answer, or is missing.

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};
use throughline_conversation::Usage;
use throughline_providers::models::ModelTable;
use throughline_testserver::{Answer, ErrorKind, Script, Server};

use crate::by_hand;
use crate::place::{KEY, Place, serve};
use crate::ran::{Ran, assert_says, run};

/// A port without a listener.
const UNREACHABLE: &str = "http://127.0.0.1:9";

fn answers(text: &str) -> Server {
    serve(Script::new().then(Answer::text(text)).repeat_last())
}

/// `run` with these arguments and an Anthropic that may be asked.
fn asks(place: &Place, anthropic: &Server, args: &[&str]) -> Command {
    let mut all = vec!["run", "-o", "json"];
    all.extend(args);
    all.push("Go.");
    let mut command = place.bare(&all);
    command.env("ANTHROPIC_BASE_URL", anthropic.url()).env("ANTHROPIC_API_KEY", KEY);
    command
}

/// Who answered what.
#[track_caller]
fn answered(ran: &Ran) -> (String, String) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let printed: Value = serde_json::from_str(&ran.out).unwrap();
    let text = |name: &str| printed[name].as_str().unwrap_or_default().to_owned();
    (text("provider"), text("text"))
}

#[test]
fn a_fallback_answers_for_a_missing_first_model() {
    let fallback = ["--fallback", "openai/gpt-5", "--fallback", "anthropic/claude-sonnet-4-5"];
    // Named, or the first that the server has.
    for first in [&["--model", "ollama/qwen3"][..], &["--provider", "ollama"]] {
        let (place, anthropic) = (Place::new(), answers("Here."));
        let ran = run(&mut asks(&place, &anthropic, &[first, &fallback].concat()));
        assert_eq!(answered(&ran), ("anthropic".to_owned(), "Here.".to_owned()));
        assert_says(&ran.err, &["is `ollama serve` running", "anthropic/claude-sonnet-4-5 answers instead"]);
        assert_says(&ran.err, &["the fallback openai/gpt-5 is left out", "OPENAI_API_KEY"]);
    }
    // The server is there, its model is not.
    let (place, anthropic) = (Place::new(), answers("Here."));
    let ollama = serve(Script::new().model("llama3", 8_192));
    let mut command = asks(&place, &anthropic, &[&["--model", "ollama/qwen3"][..], &fallback].concat());
    let ran = run(command.env("OLLAMA_HOST", ollama.url()));
    assert_eq!(answered(&ran).0, "anthropic");
    assert_says(&ran.err, &["ollama has no model \"qwen3\""]);
    // Nothing is configured at all.
    let place = Place::new();
    let mut command = asks(&place, &anthropic, &["--fallback", "compatible/house"]);
    let ran = run(command.env_remove("ANTHROPIC_API_KEY"));
    assert_eq!(ran.code, Some(3), "{ran:?}");
}

#[test]
fn a_fallback_does_not_hide_a_mistake_of_the_user() {
    let (place, anthropic) = (Place::new(), answers("Never."));
    let cases =
        [(&["--provider", "openai"][..], 3), (&["--provider", "compatible"], 2), (&["--header", "x: y"], 2)];
    for (first, code) in cases {
        let args = [first, &["--fallback", "anthropic/claude-sonnet-4-5"]].concat();
        let ran = run(&mut asks(&place, &anthropic, &args));
        assert_eq!(ran.code, Some(code), "{ran:?}");
    }
    let unknown = run(&mut asks(&place, &anthropic, &["--fallback", "foo/bar"]));
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    assert_says(&unknown.err, &["there is no provider \"foo\" in \"foo/bar\"", "anthropic"]);
    assert!(anthropic.received().is_empty());
}

#[test]
fn a_missing_fallback_does_not_keep_the_first_model_from_answering() {
    let (place, anthropic) = (Place::new(), answers("Here."));
    let first = ["--model", "anthropic/claude-sonnet-4-5"];
    let fallbacks = ["--fallback", "ollama/qwen3", "--fallback", "openai/gpt-5"];
    let ran = run(&mut asks(&place, &anthropic, &[&first[..], &fallbacks].concat()));
    assert_eq!(answered(&ran), ("anthropic".to_owned(), "Here.".to_owned()));
    for name in ["ollama/qwen3 is left out", "openai/gpt-5 is left out"] {
        assert_says(&ran.err, &[name]);
    }
}

#[test]
fn a_model_that_the_provider_does_not_have_is_followed_by_the_next() {
    let (place, anthropic) = (Place::new(), answers("Here."));
    let openai = serve(Script::new().then(Answer::error(ErrorKind::NotFound)).repeat_last());
    let args = ["--model", "openai/gpt-retired", "--fallback", "anthropic/claude-sonnet-4-5"];
    let mut command = asks(&place, &anthropic, &args);
    let ran = run(command.env("OPENAI_BASE_URL", openai.url()).env("OPENAI_API_KEY", KEY));
    assert_eq!(answered(&ran), ("anthropic".to_owned(), "Here.".to_owned()));
    assert_eq!(openai.prompted().len(), 1, "a name does not become right");
}

#[test]
fn an_ollama_that_does_not_tell_the_window_is_asked_all_the_same() {
    // Its proxy lets chats through, and nothing else.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serving = thread::spawn(move || {
        loop {
            let mut stream = listener.accept().unwrap().0;
            if by_hand::asked(&mut stream).contains("/api/chat") {
                let said = "{\"message\":{\"role\":\"assistant\",\"content\":\"Hello.\"},\"done\":false}\n\
                        {\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n";
                return by_hand::answer(stream, "200 OK", said);
            }
            by_hand::answer(stream, "403 Forbidden", "{\"error\":\"this path is closed\"}");
        }
    });
    let (place, anthropic) = (Place::new(), answers("Never."));
    let mut command = asks(&place, &anthropic, &["--model", "ollama/qwen3", "--window", "16k"]);
    let ran = run(command.env("OLLAMA_HOST", url));
    assert_eq!(answered(&ran), ("ollama".to_owned(), "Hello.".to_owned()), "{ran:?}");
    assert_says(&ran.err, &["what window qwen3 was made for is not known", "this path is closed"]);
    serving.join().unwrap();
}

#[test]
fn a_fallback_of_the_same_provider_is_reached_in_the_same_way() {
    const SECRET: &str = "sk-file-81c4d7-canary";
    let (place, anthropic) = (Place::new(), answers("Never."));
    fs::write(place.work().join("key"), SECRET).unwrap();
    let house = serve(Script::new().key(SECRET).model("small", 64_000).then(Answer::text("Here.")));
    let url = format!("{}/v1", house.url());
    let args = [
        &["--provider", "compatible", "--base-url", &url, "--key-file", "key", "--header", "x-house: 7"][..],
        &["--model", "big", "--fallback", "compatible/small", "--fallback", "anthropic/claude-sonnet-4-5"],
    ];
    let ran = run(&mut asks(&place, &anthropic, &args.concat()));
    assert_eq!(answered(&ran), ("compatible".to_owned(), "Here.".to_owned()));
    let received = house.received();
    assert!(received.iter().all(|request| request.header("x-house") == Some("7")), "{received:?}");
    assert!(anthropic.received().is_empty());

    // Another provider gets nothing of it.
    let gone = serve(Script::new().key(SECRET).model("small", 64_000));
    let url = format!("{}/v1", gone.url());
    let anthropic = answers("There.");
    let args = [
        &["--provider", "compatible", "--base-url", &url, "--key-file", "key", "--header", "x-house: 7"][..],
        &["--model", "big", "--fallback", "anthropic/claude-sonnet-4-5"],
    ];
    let ran = run(&mut asks(&place, &anthropic, &args.concat()));
    assert_eq!(answered(&ran), ("anthropic".to_owned(), "There.".to_owned()));
    let sent = anthropic.received();
    assert!(!sent.is_empty() && sent.iter().all(|request| request.header("x-house").is_none()), "{sent:?}");
    assert!(!format!("{sent:?}").contains(SECRET));
}

#[test]
fn when_no_model_answers_the_first_reason_is_reported() {
    let (place, anthropic) = (Place::new(), answers("Never."));
    let mut command = asks(&place, &anthropic, &["--model", "ollama/qwen3", "--fallback", "ollama/llama3"]);
    let ran = run(command.env("OLLAMA_HOST", UNREACHABLE));
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert_says(&ran.err, &["is `ollama serve` running"]);
}

#[test]
fn a_run_and_its_context_show_one_cost_across_a_fallback() {
    let place = Place::new();
    let usage = Usage { input: 10_000, cache_read: 5_000, output: 1_000, ..Usage::default() };
    let list = Answer::call("c1", "list_files", json!({})).usage(usage);
    let anthropic = serve(Script::new().then(list).then(Answer::error(ErrorKind::NotFound)).repeat_last());
    let openai = serve(Script::new().then(Answer::text("Done.").usage(usage)));
    let args = ["--model", "anthropic/claude-opus-4-1", "--fallback", "openai/gpt-5"];
    let mut command = asks(&place, &anthropic, &args);
    let ran = run(command.env("OPENAI_BASE_URL", openai.url()).env("OPENAI_API_KEY", KEY));
    assert_eq!(answered(&ran), ("openai".to_owned(), "Done.".to_owned()));
    let result: Value = serde_json::from_str(&ran.out).unwrap();
    let context = run(&mut place.bare(&["context", "last", "--json"]));
    let context: Value = serde_json::from_str(&context.out).unwrap();
    for field in ["requests", "side_requests", "usage", "unreported", "cost_usd", "cost_usd_at_least"] {
        assert_eq!(context["cost"][field], result[field], "{field}");
    }
    assert_eq!(result["requests"], 2, "{result}");
    let table = ModelTable::builtin();
    let price = |provider, model| table.find(provider, model).price().dollars(usage).unwrap();
    let expected = price("anthropic", "claude-opus-4-1") + price("openai", "gpt-5");
    let dollars = result["cost_usd"].as_f64().unwrap();
    assert!((dollars - expected).abs() < 1e-6, "{dollars} instead of {expected}");
}
