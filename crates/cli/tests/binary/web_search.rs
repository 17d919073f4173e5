//! The provider's own search of the web: asked for by the settings, shown, charged, sent back, and kept out by a rule.

use serde_json::{Value, json};
use throughline_testserver::{Answer, Received, Script, Server};

use crate::place::{KEY, Place, serve};
use crate::ran::{Ran, assert_says, run};

const CLAUDE: (&str, &str) = ("anthropic", "claude-sonnet-4-5");
const GPT: (&str, &str) = ("openai", "gpt-5");
const GEMINI: (&str, &str) = ("gemini", "gemini-3-pro-preview");

fn page() -> Value {
    json!({"type": "web_search_result", "url": "https://example.com/herons", "title": "Herons", "encrypted_content": "RWFz", "page_age": null})
}

fn events(events: &[Value]) -> Answer {
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    Answer::raw("text/event-stream", body.into_bytes())
}

fn searched() -> [Value; 2] {
    [
        json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "herons"}}),
        json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [page()]}),
    ]
}

fn cited() -> Value {
    let citation = json!({
        "type": "web_search_result_location", "url": "https://example.com/herons", "title": "Herons",
        "encrypted_index": "SW5k", "cited_text": "Herons fly",
    });
    json!({"type": "text", "text": "Herons fly.", "citations": [citation]})
}

/// An answer of Anthropic with these blocks.
fn claude(blocks: &[Value], stop: &str, searches: u64) -> Answer {
    let mut all = vec![json!({"type": "message_start", "message": {"usage": {"input_tokens": 1_000}}})];
    for (index, block) in blocks.iter().enumerate() {
        all.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        all.push(json!({"type": "content_block_stop", "index": index}));
    }
    let usage = json!({"input_tokens": 1_000, "output_tokens": 100, "server_tool_use": {"web_search_requests": searches}});
    all.push(json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": usage}));
    all.push(json!({"type": "message_stop"}));
    events(&all)
}

fn gpt_search() -> Value {
    let source = json!({"type": "url", "url": "https://example.com/herons"});
    json!({"type": "web_search_call", "id": "ws_1", "status": "completed",
        "action": {"type": "search", "query": "herons", "sources": [source]}})
}

fn gpt() -> Answer {
    let citation = json!({"type": "url_citation", "start_index": 0, "end_index": 6, "url": "https://example.com/herons", "title": "Herons"});
    let message = json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Herons fly.", "annotations": [citation]}]});
    let usage = json!({"input_tokens": 1_000, "output_tokens": 100});
    events(&[
        json!({"type": "response.completed", "response": {"output": [gpt_search(), message], "usage": usage}}),
    ])
}

fn gemini_parts() -> [Value; 2] {
    [
        json!({"toolCall": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["herons"]}}, "thoughtSignature": "c2ln"}),
        json!({"toolResponse": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"search_suggestions": "…"}}}),
    ]
}

fn gemini() -> Answer {
    let [call, response] = gemini_parts();
    let chunk = json!({"web": {"uri": "https://example.com/herons", "title": "Herons"}});
    events(&[json!({
        "modelVersion": GEMINI.1,
        "candidates": [{
            "content": {"role": "model", "parts": [call, response, {"text": "Herons fly."}]}, "finishReason": "STOP",
            "groundingMetadata": {"webSearchQueries": ["herons"], "groundingChunks": [chunk]},
        }],
        "usageMetadata": {"promptTokenCount": 1_000, "candidatesTokenCount": 100},
    })])
}

/// A place whose user lets the provider search, with more lines of settings.
fn searching(more: &str) -> Place {
    let place = Place::new();
    let folder = place.folder.path().join(".config/throughline");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), format!("[search]\nprovider = true\n{more}\n")).unwrap();
    place
}

fn ask(place: &Place, server: &Server, model: (&str, &str), args: &[&str]) -> Ran {
    let mut command = place.asks(server, model, args);
    run(command.env("GEMINI_API_KEY", KEY))
}

fn lines(ran: &Ran) -> Vec<Value> {
    ran.out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn of<'l>(lines: &'l [Value], kind: &str) -> &'l Value {
    lines.iter().find(|line| line["type"] == kind).unwrap_or_else(|| panic!("no {kind} in {lines:?}"))
}

/// The last request for an answer, which breaks no rule of its provider.
fn last(server: &Server) -> Received {
    let all = server.received().into_iter();
    let mut asked = all.filter(|request| request.method == "POST" && !request.path.contains("count"));
    let last = asked.next_back().unwrap();
    assert!(last.faults.is_empty(), "{:?}", last.faults);
    last
}

/// One search, its receipt, and a second request with what it found.
fn one_search(model: (&str, &str), answer: Answer, dollars: f64) -> (Place, Server) {
    let place = searching("");
    let server = serve(Script::new().then(answer).then(Answer::text("So.")).repeat_last());
    let ran = ask(&place, &server, model, &["-o", "stream-json", "Where do herons live?"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown = lines(&ran);
    let (started, finished) = (of(&shown, "tool_started"), of(&shown, "tool_finished"));
    assert_eq!((&started["name"], &started["input"]["query"]), (&json!("web_search"), &json!("herons")));
    assert_eq!((&finished["name"], &finished["is_error"]), (&json!("web_search"), &json!(false)));
    assert_eq!(of(&shown, "cited")["sources"][0]["url"], "https://example.com/herons");
    assert_eq!(of(&shown, "answered")["usage"]["searches"], 1);

    let context = run(&mut place.bare(&["context", "last", "--json"]));
    let cost: Value = serde_json::from_str(&context.out).unwrap();
    let asked = run(&mut place.bare(&["context", "last"]));
    assert_says(&asked.out, &["with 1 web search"]);
    let paid = cost["cost"]["cost_usd"].as_f64().unwrap_or_else(|| panic!("{}", cost["cost"]));
    assert!((paid - dollars).abs() < 1e-6, "{paid} is not {dollars}: {}", cost["cost"]);

    let ran = ask(&place, &server, model, &["-c", "And egrets?"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    (place, server)
}

#[test]
fn a_search_of_anthropic_is_shown_charged_and_sent_back() {
    let [call, result] = searched();
    let answer = claude(&[call.clone(), result.clone(), cited()], "end_turn", 1);
    // 3 and 15 dollars for a million tokens, 10 for a thousand searches.
    let (_, server) = one_search(CLAUDE, answer, 0.003 + 0.0015 + 0.01);
    let body = last(&server).body;
    assert_eq!(body["messages"][1]["content"], json!([call, result, cited()]));
    let tools = body["tools"].as_array().unwrap();
    assert!(tools.iter().any(|tool| tool["type"] == "web_search_20250305"), "{tools:?}");
}

#[test]
fn a_search_of_openai_is_shown_charged_and_sent_back() {
    let (_, server) = one_search(GPT, gpt(), 0.00125 + 0.001 + 0.01);
    let body = last(&server).body;
    assert!(body["input"].as_array().unwrap().contains(&gpt_search()), "{}", body["input"]);
    assert!(body["tools"].as_array().unwrap().contains(&json!({"type": "web_search"})), "{}", body["tools"]);
}

#[test]
fn a_search_of_gemini_is_shown_charged_and_sent_back() {
    let (_, server) = one_search(GEMINI, gemini(), 0.002 + 0.0012 + 0.014);
    let body = last(&server).body;
    let [call, response] = gemini_parts();
    assert_eq!(body["contents"][1]["parts"], json!([call, response, {"text": "Herons fly."}]));
    assert!(body["tools"].as_array().unwrap().contains(&json!({"googleSearch": {}})), "{}", body["tools"]);
}

#[test]
fn a_paused_search_continues_from_the_models_own_message() {
    let [call, result] = searched();
    let script = Script::new()
        .then(claude(std::slice::from_ref(&call), "pause_turn", 0))
        .then(claude(&[result.clone(), cited()], "end_turn", 1))
        .then(Answer::text("So."));
    let (place, server) = (searching(""), serve(script));
    let ran = ask(&place, &server, CLAUDE, &["-o", "stream-json", "Where do herons live?"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let body = last(&server).body;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages.last().unwrap(), &json!({"role": "assistant", "content": [call]}));
    let shown = lines(&ran);
    assert_eq!(shown.iter().filter(|line| line["type"] == "tool_started").count(), 1);
    assert_says(
        of(&shown, "tool_finished")["output"].as_str().unwrap(),
        &["1 result", "https://example.com/herons"],
    );
    ask(&place, &server, CLAUDE, &["-c", "And egrets?"]);
    assert_eq!(last(&server).body["messages"][1]["content"], json!([call, result, cited()]));
}

#[test]
fn another_provider_is_sent_the_answer_without_what_it_cannot_read_and_the_same_one_all_of_it_again() {
    let [call, result] = searched();
    let answer = claude(&[call.clone(), result.clone(), cited()], "end_turn", 1);
    let script = Script::new().then(answer).then(Answer::text("So.")).repeat_last();
    let (place, server) = (searching(""), serve(script));
    ask(&place, &server, CLAUDE, &["Where do herons live?"]);
    for (model, kept) in [(GPT, false), (("compatible", "house"), false), (CLAUDE, true)] {
        let ran = ask(&place, &server, model, &["-c", "And now?"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let body = last(&server).body.to_string();
        assert!(body.contains("Herons fly."), "{body}");
        assert_eq!(body.contains("encrypted_content\":\"RWFz"), kept, "{model:?}: {body}");
    }
}

#[test]
fn a_compacted_session_never_sends_half_of_a_search() {
    let [call, result] = searched();
    let long = format!("Herons fly. {}", "They wade. ".repeat(600));
    let answer = || {
        let text = json!({"type": "text", "text": long});
        claude(&[call.clone(), result.clone(), text], "end_turn", 1)
    };
    let script = Script::new()
        .then(answer())
        .then(Answer::text(&long))
        .then(Answer::text(&long))
        .then(Answer::text("So."))
        .repeat_last();
    let (place, server) = (searching(""), serve(script));
    ask(&place, &server, CLAUDE, &["Where do herons live?"]);
    ask(&place, &server, CLAUDE, &["-c", "And egrets?"]);
    ask(&place, &server, CLAUDE, &["-c", "And storks?"]);
    let compacted = ask(&place, &server, CLAUDE, &["-c", "/compact"]);
    assert_eq!(compacted.code, Some(0), "{compacted:?}");
    assert_says(&compacted.out, &["Compacted "]);
    let ran = ask(&place, &server, CLAUDE, &["-c", "And now?"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let body = last(&server).body.to_string();
    assert_eq!(body.contains("srvtoolu_1"), body.contains("web_search_tool_result"), "{body}");
}

#[test]
fn a_rule_against_it_keeps_the_search_out_of_the_request() {
    let place = searching("[permissions]\ndeny = [\"web_search\"]");
    let server = serve(Script::new().then(Answer::text("So.")).repeat_last());
    let ran = ask(&place, &server, CLAUDE, &["Where do herons live?"]);
    assert_says(&ran.err, &["search.provider has no effect", "the deny rule web_search"]);
    assert!(!last(&server).body["tools"].to_string().contains("web_search"));
    // In plan mode nothing is changed by it, so it stays.
    let place = searching("");
    ask(&place, &server, CLAUDE, &["--mode", "plan", "Where do herons live?"]);
    assert!(last(&server).body["tools"].to_string().contains("web_search_20250305"));
}

#[test]
fn nothing_is_searched_unless_it_is_set_and_a_provider_without_a_search_is_named() {
    let server = serve(Script::new().then(Answer::text("So.")).repeat_last());
    let place = Place::new();
    ask(&place, &server, CLAUDE, &["Where do herons live?"]);
    assert!(!last(&server).body["tools"].to_string().contains("web_search"));

    let place = searching("");
    for args in [&["Where?"][..], &["--api", "responses", "Where?"]] {
        let ran = ask(&place, &server, ("compatible", "house"), args);
        assert_says(&ran.err, &["search.provider has no effect for compatible/house", "set search.url"]);
        assert!(!last(&server).body["tools"].to_string().contains("web_search"));
    }
    let ran = ask(&place, &server, GPT, &["--api", "chat", "Where?"]);
    assert_says(&ran.err, &["search.provider has no effect for openai/gpt-5"]);

    let both = searching("url = \"http://127.0.0.1:9\"");
    ask(&both, &server, ("compatible", "house"), &["Where?"]);
    assert!(last(&server).body["tools"].to_string().contains("\"name\":\"web_search\""));
    ask(&both, &server, CLAUDE, &["Where?"]);
    assert!(last(&server).body["tools"].to_string().contains("web_search_20250305"));
}

#[test]
fn doctor_says_whose_search_it_is() {
    let server = serve(Script::new().then(Answer::text("So.")).repeat_last());
    let doctor = |place: &Place, model: (&str, &str)| {
        let url = server.url();
        let args = ["doctor", "--provider", model.0, "--model", model.1, "--base-url", &url];
        run(place.bare(&args).env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY)).out
    };
    assert_says(&doctor(&Place::new(), CLAUDE), &["web search", "off; search.provider = true"]);
    assert_says(
        &doctor(&searching(""), CLAUDE),
        &["by the provider of anthropic/claude-sonnet-4-5, 10 US dollars for 1,000 searches"],
    );
    assert_says(
        &doctor(&searching(""), ("compatible", "house")),
        &["search.provider has no effect", "set search.url"],
    );
}
