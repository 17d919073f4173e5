//! The providers' own search of the web: in the request, in the answer, and back in the next request.

use serde_json::{Value, json};
use throughline_completion::{Answer, CompletionRequest, StopReason};
use throughline_conversation::{
    Message, SearchOutcome, ToolDefinition, ToolOrigin, ToolResult, WebSource, continue_note,
};
use throughline_testkit::request;

use crate::gemini::GeminiOptions;
use crate::openai::OpenAiOptions;
use crate::{Wire, WireAnswer as _, WireOptions, WireRequest as _, validate};

/// A request with a tool of the program's own and the search.
fn searching(messages: Vec<Message>, origin: ToolOrigin) -> CompletionRequest {
    let mut request = request(messages);
    let schema = json!({"type": "object", "properties": {"query": {"type": "string"}}});
    let search = ToolDefinition { origin, ..ToolDefinition::new("web_search", "Searches the web.", schema) };
    request.tools = request.tools.iter().cloned().chain([search]).collect::<Vec<_>>().into();
    request.model = "gemini-3-pro".to_owned();
    request
}

fn answer(wire: Wire, body: &Value) -> Answer {
    Answer::from_wire(wire, body).unwrap()
}

fn page(number: usize) -> WebSource {
    WebSource { url: format!("https://example.com/{number}"), title: format!("Page {number}") }
}

fn found(number: usize) -> Value {
    let WebSource { url, title } = page(number);
    json!({"type": "web_search_result", "url": url, "title": title, "encrypted_content": "RWFz", "page_age": null})
}

fn call(id: &str) -> Value {
    json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "herons"}})
}

fn result(id: &str) -> Value {
    json!({"type": "web_search_tool_result", "tool_use_id": id, "content": [found(1), found(2)]})
}

fn cited(text: &str, number: usize) -> Value {
    let WebSource { url, title } = page(number);
    let citation = json!({
        "type": "web_search_result_location", "url": url, "title": title, "encrypted_index": "SW5k", "cited_text": "…",
    });
    json!({"type": "text", "text": text, "citations": [citation]})
}

fn said(content: &[Value], stop: &str) -> Answer {
    let usage =
        json!({"input_tokens": 900, "output_tokens": 9, "server_tool_use": {"web_search_requests": 1}});
    answer(Wire::Anthropic, &json!({"content": content, "stop_reason": stop, "usage": usage}))
}

/// The messages of the body, which has no fault.
fn messages(request: &CompletionRequest) -> Vec<Value> {
    let body = request.body(Wire::Anthropic);
    assert_eq!(validate::anthropic(&body), []);
    body["messages"].as_array().unwrap().clone()
}

#[test]
fn anthropics_search_is_read_and_sent_back_as_it_came() {
    let content = [
        json!({"type": "text", "text": "I search."}),
        call("srvtoolu_1"),
        result("srvtoolu_1"),
        cited("Herons fly. ", 1),
        json!({"type": "text", "text": "They also "}),
        cited("stand.", 2),
    ];
    let answer = said(&content, "end_turn");
    assert_eq!(answer.usage.unwrap().searches, 1);
    let [search] = answer.details.searches.as_slice() else { panic!("{:?}", answer.details) };
    assert_eq!((search.id.as_str(), search.query.as_str()), ("srvtoolu_1", "herons"));
    assert_eq!(search.outcome, SearchOutcome::Found(vec![page(1), page(2)]));
    assert_eq!(answer.details.cited, [page(1), page(2)]);
    assert_eq!(answer.message.texts().last(), Some("Herons fly. They also stand."));

    let transcript = vec![Message::user("hi"), answer.message, Message::user("more")];
    let request = searching(transcript, ToolOrigin::Provider);
    let body = request.body(Wire::Anthropic);
    assert_eq!(
        body["tools"][1],
        json!({"type": "web_search_20250305", "name": "web_search", "max_uses": 10})
    );
    assert_eq!(messages(&request)[1]["content"], json!(content));
}

#[test]
fn a_text_that_was_changed_goes_back_without_its_sources() {
    let mut message = said(&[cited("Herons fly.", 1)], "end_turn").message;
    message.content[0] = throughline_conversation::ContentBlock::Text { text: "[shortened]".to_owned() };
    let sent =
        messages(&searching(vec![Message::user("hi"), message, Message::user("more")], ToolOrigin::Provider));
    assert_eq!(sent[1]["content"], json!([{"type": "text", "text": "[shortened]"}]));
}

#[test]
fn a_paused_turn_continues_from_the_models_own_message() {
    let paused = said(&[call("srvtoolu_1")], "pause_turn");
    assert_eq!(paused.stop, StopReason::Pause);
    let mut transcript = vec![Message::user("hi"), paused.message, continue_note()];
    let sent = messages(&searching(transcript.clone(), ToolOrigin::Provider));
    assert_eq!(sent[1..], [json!({"role": "assistant", "content": [call("srvtoolu_1")]})]);

    let rest = said(&[result("srvtoolu_1"), cited("Herons fly.", 1)], "end_turn");
    assert_eq!(rest.details.searches[0].outcome, SearchOutcome::Found(vec![page(1), page(2)]));
    transcript.extend([rest.message, Message::user("more")]);
    let sent = messages(&searching(transcript, ToolOrigin::Provider));
    assert_eq!(sent.len(), 3);
    assert_eq!(
        sent[1]["content"],
        json!([call("srvtoolu_1"), result("srvtoolu_1"), cited("Herons fly.", 1)])
    );
}

#[test]
fn a_search_that_waits_for_the_clients_results_stays_until_something_else_is_said() {
    let own = json!({"type": "tool_use", "id": "toolu_1", "name": "read", "input": {}});
    let both = said(&[call("srvtoolu_1"), own.clone()], "tool_use").message;
    let results = Message::results([ToolResult::text("toolu_1", "fn main() {}")]);
    let waiting = vec![Message::user("hi"), both, results];
    let sent = messages(&searching(waiting.clone(), ToolOrigin::Provider));
    assert_eq!(sent[1]["content"], json!([call("srvtoolu_1"), own]));
    let [only] = sent[2]["content"].as_array().unwrap().as_slice() else { panic!("{}", sent[2]) };
    assert_eq!(only["type"], "tool_result");

    let rest = said(&[result("srvtoolu_1"), json!({"type": "text", "text": "Done."})], "end_turn").message;
    let answered = [waiting.clone(), vec![rest, Message::user("more")]].concat();
    let sent = messages(&searching(answered, ToolOrigin::Provider));
    assert_eq!(sent[3]["content"][0], result("srvtoolu_1"));

    let interrupted = [waiting, vec![Message::user("stop")]].concat();
    assert_eq!(messages(&searching(interrupted, ToolOrigin::Provider))[1]["content"], json!([own]));
}

#[test]
fn half_of_a_pair_is_left_out_and_a_pair_stays_without_the_tool() {
    let text = json!({"type": "text", "text": "Done."});
    let pair = [call("srvtoolu_1"), result("srvtoolu_1"), text.clone()];
    for (content, origin, left) in [
        (vec![call("srvtoolu_1"), text.clone()], ToolOrigin::Provider, vec![text.clone()]),
        (vec![result("srvtoolu_9"), text.clone()], ToolOrigin::Provider, vec![text.clone()]),
        (pair.to_vec(), ToolOrigin::Provider, pair.to_vec()),
        (pair.to_vec(), ToolOrigin::Builtin, pair.to_vec()),
    ] {
        let message = said(&content, "end_turn").message;
        let sent = messages(&searching(vec![Message::user("hi"), message, Message::user("more")], origin));
        assert_eq!(sent[1]["content"], json!(left), "{content:?}");
    }
}

#[test]
fn the_validator_refuses_half_of_a_pair() {
    let text = json!({"type": "text", "text": "Done."});
    let faults = |content: &[Value]| {
        let body = json!({
            "model": "m", "max_tokens": 64, "messages": [
                {"role": "user", "content": "hi"}, {"role": "assistant", "content": content}, {"role": "user", "content": "more"},
            ],
        });
        validate::anthropic(&body).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let alone = faults(&[call("srvtoolu_1"), text.clone()]);
    assert!(
        alone[0].contains("`srvtoolu_1` was found without a corresponding `web_search_tool_result`"),
        "{alone:?}"
    );
    let orphan = faults(&[result("srvtoolu_9"), text.clone()]);
    assert!(orphan[0].contains("unexpected `tool_use_id` found in `web_search_tool_result`"), "{orphan:?}");
    assert!(faults(&[call("srvtoolu_1"), result("srvtoolu_1"), text]).is_empty());
}

#[test]
fn openais_search_is_read_and_sent_back_as_it_came() {
    let source = |number| json!({"type": "url", "url": page(number).url});
    let search = json!({
        "type": "web_search_call", "id": "ws_1", "status": "completed",
        "action": {"type": "search", "query": "herons", "queries": ["herons"], "sources": [source(1), source(2)]},
    });
    let opened = json!({
        "type": "web_search_call", "id": "ws_2", "status": "completed",
        "action": {"type": "open_page", "url": "https://example.com/1"},
    });
    let citation = json!({"type": "url_citation", "start_index": 0, "end_index": 6, "url": page(1).url, "title": page(1).title});
    let message = json!({
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Herons fly.", "annotations": [citation]}],
    });
    let body =
        json!({"output": [search, opened, message], "usage": {"input_tokens": 900, "output_tokens": 9}});
    let answer = answer(Wire::OpenAiResponses, &body);
    assert_eq!(answer.usage.unwrap().searches, 1, "opening a page is not charged");
    let queries: Vec<&str> = answer.details.searches.iter().map(|search| search.query.as_str()).collect();
    assert_eq!(queries, ["herons", "https://example.com/1"]);
    let SearchOutcome::Found(sources) = &answer.details.searches[0].outcome else { panic!() };
    assert_eq!(sources.len(), 2);
    assert_eq!(answer.details.cited, [page(1)]);

    let request =
        searching(vec![Message::user("hi"), answer.message, Message::user("more")], ToolOrigin::Provider);
    let body = request.body(Wire::OpenAiResponses);
    assert_eq!(validate::openai_responses(&body), []);
    assert_eq!(body["tools"][1], json!({"type": "web_search"}));
    assert_eq!(body["include"], json!(["reasoning.encrypted_content", "web_search_call.action.sources"]));
    assert_eq!(body["input"][1], search);
    assert_eq!(body["input"][2], opened);
}

#[test]
fn geminis_search_stands_next_to_the_functions_and_its_parts_go_back() {
    let call = json!({"toolCall": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["herons", "egrets"]}}, "thoughtSignature": "c2ln"});
    let response = json!({"toolResponse": {"id": "s1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"search_suggestions": "…"}}});
    let chunk = |number| json!({"web": {"uri": page(number).url, "title": page(number).title}});
    let body = json!({
        "modelVersion": "gemini-3-pro",
        "candidates": [{
            "content": {"role": "model", "parts": [call, response, {"text": "Herons fly."}]},
            "finishReason": "STOP",
            "groundingMetadata": {"webSearchQueries": ["herons", "egrets"], "groundingChunks": [chunk(1), chunk(2)]},
        }],
        "usageMetadata": {"promptTokenCount": 900, "candidatesTokenCount": 9},
    });
    let answer = answer(Wire::Gemini, &body);
    assert_eq!(answer.usage.unwrap().searches, 2, "each query is charged");
    assert_eq!(answer.details.searches[0].query, "herons; egrets");
    assert_eq!(answer.details.cited, [page(1), page(2)]);

    let request =
        searching(vec![Message::user("hi"), answer.message, Message::user("more")], ToolOrigin::Provider);
    let body = request.body(Wire::Gemini);
    assert_eq!(validate::gemini("gemini-3-pro", &body), []);
    assert_eq!(body["tools"][1], json!({"googleSearch": {}}));
    assert_eq!(body["toolConfig"], json!({"includeServerSideToolInvocations": true}));
    assert_eq!(body["contents"][1]["parts"], json!([call, response, {"text": "Herons fly."}]));
    let mut hidden = body;
    hidden["toolConfig"] = json!({});
    assert!(
        validate::gemini("gemini-3-pro", &hidden)[0]
            .to_string()
            .contains("include_server_side_tool_invocations")
    );
}

#[test]
fn an_earlier_gemini_charges_the_answer_and_not_its_queries() {
    let body = json!({
        "modelVersion": "gemini-2.5-flash",
        "candidates": [{
            "content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP",
            "groundingMetadata": {"webSearchQueries": ["a", "b", "c"]},
        }],
        "usageMetadata": {"promptTokenCount": 9},
    });
    assert_eq!(answer(Wire::Gemini, &body).usage.unwrap().searches, 1);
}

#[test]
fn a_server_without_a_search_gets_none_or_the_programs_own() {
    let without: [WireOptions; 4] = [
        Wire::OpenAiChat.into(),
        Wire::Ollama.into(),
        WireOptions::OpenAiResponses(OpenAiOptions::compatible()),
        WireOptions::Gemini(GeminiOptions { web_search: Some(false), ..GeminiOptions::default() }),
    ];
    for options in without {
        let body = |origin| searching(vec![Message::user("hi")], origin).body(options);
        let tools = |body: &Value| body["tools"].to_string();
        assert!(!tools(&body(ToolOrigin::Provider)).contains("earch"), "{options:?}");
        let own = body(ToolOrigin::ProviderFirst);
        assert!(tools(&own).contains("\"name\":\"web_search\""), "{options:?}: {own}");
        assert!(!own["include"].to_string().contains("sources"), "{own}");
    }
    let request = searching(vec![Message::user("hi")], ToolOrigin::ProviderFirst);
    assert_eq!(request.body(Wire::Anthropic)["tools"][1]["type"], "web_search_20250305");
}
