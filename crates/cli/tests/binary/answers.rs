//! Answers as real providers give them, and what becomes of the session behind them.

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, ToolCall, Usage};
use throughline_testserver::{Answer, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{assert_says, last_object, run};

const CLAUDE: (&str, &str) = ("anthropic", "claude-sonnet-4-5");
const CHAT: (&str, &str) = ("compatible", "gpt-test");
const RESPONSES: (&str, &str) = ("openai", "gpt-5");

/// A run at this server that has to end well; its result.
#[track_caller]
fn done(place: &Place, server: &Server, model: (&str, &str), args: &[&str]) -> Value {
    let ran = run(&mut place.asks(server, model, &[&["-o", "json"][..], args].concat()));
    let printed = last_object(&ran);
    assert_eq!((ran.code, &printed["outcome"]), (Some(0), &json!("done")), "{ran:?}");
    printed
}

fn events(events: &[Value]) -> Answer {
    let body: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    Answer::raw("text/event-stream", body.into_bytes())
}

#[test]
fn a_session_continues_after_a_usage_report_that_cannot_be_true() {
    let wrong = || Answer::text("One.").usage(Usage { input: 400_000, output: 9, ..Usage::default() });
    for model in [CLAUDE, CHAT, RESPONSES] {
        let place = Place::new();
        let server = serve(Script::new().then(wrong()).then(Answer::text("Two.")).repeat_last());
        done(&place, &server, model, &["Go."]);
        assert_eq!(done(&place, &server, model, &["-c", "Next."])["text"], "Two.");
        assert_eq!(server.prompted().len(), 2, "nothing was compacted for it");
    }
}

#[test]
fn a_request_with_more_tokens_than_a_minute_allows_is_compacted_and_not_repeated() {
    let text = "word ".repeat(6_000);
    let limit = json!({"error": {"code": "rate_limit_exceeded", "type": "tokens", "message":
        "Request too large for model `m` on tokens per minute (TPM): Limit 8000, Requested 13051, please reduce your message size and try again."}});
    let place = Place::new();
    let script = Script::new()
        .then(Answer::text(&text))
        .then(Answer::text(&text))
        .then(Answer::status(413, limit))
        .then(Answer::text("Summary of it."))
        .repeat_last();
    let server = serve(script);
    done(&place, &server, CHAT, &["Go."]);
    done(&place, &server, CHAT, &["-c", "Next."]);
    let printed = done(&place, &server, CHAT, &["-c", "And now?"]);
    assert_eq!(printed["compactions"], 1, "{printed}");
}

#[test]
fn a_turn_that_was_refused_does_not_go_out_again_and_its_details_are_shown() {
    let start =
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 9, "output_tokens": 1}}});
    let details = json!({"type": "refusal", "category": "cyber", "explanation": "Not this.",
        "recommended_model": "claude-opus-4-8"});
    let end = json!({"type": "message_delta", "delta": {"stop_reason": "refusal", "stop_details": details},
        "usage": {"output_tokens": 2}});
    let refuses = events(&[start, end, json!({"type": "message_stop"})]);
    let script = Script::new().then(Answer::text("One.")).then(refuses).then(Answer::text("Three."));
    let (place, server) = (Place::new(), serve(script));
    done(&place, &server, CLAUDE, &["First."]);
    let ran = run(&mut place.asks(&server, CLAUDE, &["-c", "Forbidden."]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let shown =
        ["(cyber: Not this.)", "recommends claude-opus-4-8", "turn 2 is hidden", "/context restore 2"];
    assert_says(&ran.err, &shown);
    done(&place, &server, CLAUDE, &["-c", "Third."]);
    let body = server.prompted().last().unwrap().body.to_string();
    assert!(body.contains("First.") && body.contains("Third.") && !body.contains("Forbidden."), "{body}");
    // The user may see it otherwise.
    let ran = run(&mut place.bare(&["run", "-c", "/context restore 2"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn malformed_arguments_are_named_as_what_they_are() {
    let script = Script::new()
        .then(Answer::call("c1", "read_file", json!({})).bad_input())
        .then(Answer::text("Done."));
    let (place, server) = (Place::new(), serve(script));
    done(&place, &server, CHAT, &["Go."]);
    let body = server.prompted().last().unwrap().body["messages"].to_string();
    assert!(body.contains("are not a JSON object") && !body.contains("unknown field"), "{body}");
}

#[test]
fn words_about_pictures_without_any_picture_are_shown_verbatim() {
    let said = json!({"error": {"message": "Invalid value: 'audio'. Supported values are: 'text' and 'image_url'.",
        "type": "invalid_request_error"}});
    let said_image = json!({"error": {"message": "This model does not support image input", "type": "invalid_request_error"}});
    for said in [said, said_image] {
        let (place, server) =
            (Place::new(), serve(Script::new().then(Answer::status(400, said)).repeat_last()));
        let ran = run(&mut place.asks(&server, CHAT, &["Go."]));
        assert!(
            ran.err.contains("the provider rejects the request") && !ran.err.contains("a picture of"),
            "{ran:?}"
        );
        assert_eq!(server.prompted().len(), 1);
    }
}

#[test]
fn a_malformed_tool_call_of_the_model_is_sampled_again() {
    let said = json!({"error": {"code": "tool_use_failed", "message": "Failed to call a function.",
        "failed_generation": "{\"name\": ", "type": "invalid_request_error"}});
    let script = Script::new().then(Answer::status(400, said)).then(Answer::text("Done."));
    let (place, server) = (Place::new(), serve(script));
    assert_eq!(done(&place, &server, CHAT, &["Go."])["text"], "Done.");
}

#[test]
fn an_answer_without_a_finish_reason_that_says_done_is_complete() {
    let chunk = json!({"choices": [{"delta": {"content": "Hello."}}]});
    let body = format!("data: {chunk}\n\ndata: [DONE]\n\n");
    let script = Script::new().then(Answer::raw("text/event-stream", body.into_bytes()));
    let (place, server) = (Place::new(), serve(script));
    assert_eq!(done(&place, &server, CHAT, &["Go."])["text"], "Hello.");
}

#[test]
fn a_server_that_does_not_stream_is_read_too() {
    let anthropic = json!({"type": "message", "content": [{"type": "text", "text": "Hello."}],
        "stop_reason": "end_turn", "usage": {"input_tokens": 7, "output_tokens": 2}});
    let chat = json!({"choices": [{"message": {"content": "Hello."}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2}});
    let message = json!({"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "Hello."}]});
    let responses = json!({"object": "response", "status": "completed", "output": [message],
        "usage": {"input_tokens": 7, "output_tokens": 2}});
    for (model, document) in [(CLAUDE, anthropic), (CHAT, chat), (RESPONSES, responses)] {
        let (place, server) = (Place::new(), serve(Script::new().then(Answer::status(200, document))));
        let printed = done(&place, &server, model, &["Go."]);
        assert_eq!((&printed["text"], &printed["usage"]["output"]), (&json!("Hello."), &json!(2)));
    }
}

#[test]
fn an_answer_of_the_providers_own_items_is_shown_as_what_it_is() {
    let item = json!({"type": "web_search_call", "id": "ws_1", "status": "completed"});
    let whole = json!({"type": "response.completed", "response": {"output": [item]}});
    let (place, server) =
        (Place::new(), serve(Script::new().then(events(&[whole])).then(Answer::text("So."))));
    let printed = done(&place, &server, RESPONSES, &["Go."]);
    assert_says(printed["text"].as_str().unwrap(), &["web_search_call"]);
    done(&place, &server, RESPONSES, &["-c", "And?"]);
    let body = server.prompted().last().unwrap().body["input"].to_string();
    assert!(body.contains("ws_1"), "{body}");
}

#[test]
fn requests_that_miss_the_cache_are_counted_by_their_cause() {
    let usage =
        |cache_read, cache_write| Usage { input: 20, cache_read, cache_write, output: 9, searches: 0 };
    let read = |id: &str, range: u64| Answer::call(id, "read_file", json!({"path": "a.txt", "limit": range}));
    let script = Script::new()
        .then(read("c1", 1).usage(usage(0, 6_000)))
        .then(read("c2", 2).usage(usage(6_000, 150)))
        .then(read("c3", 3).usage(usage(0, 6_300)))
        .then(Answer::text("Done.").usage(usage(6_300, 100)));
    let (place, server) = (Place::new(), serve(script));
    let ran = run(&mut place.asks(&server, CLAUDE, &["-o", "stream-json", "Go."]));
    let missed: Vec<Value> = ran
        .out
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|event: &Value| event["type"] == "cache_missed")
        .collect();
    assert_eq!(missed.len(), 1, "{ran:?}");
    assert_eq!((&missed[0]["read"], &missed[0]["cause"]), (&json!(0), &json!("unexplained")));
    let shown = run(&mut place.bare(&["context", "last"]));
    assert_says(&shown.out, &["1 of 4 requests missed the cache: 1 unexplained; 75% predicted"]);
    let shown = run(&mut place.bare(&["context", "last", "--json"]));
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(shown["cost"]["cache"]["misses"], json!([{"cause": "unexplained", "requests": 1}]));
}

#[test]
fn a_server_that_reports_no_cache_is_not_said_to_miss_it() {
    let script = Script::new()
        .then(
            Answer::call("c1", "read_file", json!({"path": "a.txt"}))
                .usage(Usage { input: 6_000, ..Usage::default() }),
        )
        .then(Answer::text("Done.").usage(Usage { input: 6_100, ..Usage::default() }));
    let (place, server) = (Place::new(), serve(script));
    done(&place, &server, CHAT, &["Go."]);
    let shown = run(&mut place.bare(&["context", "last"]));
    assert!(shown.code == Some(0) && !shown.out.contains("missed the cache"), "{shown:?}");
}

fn responses_of(items: &[Value]) -> Answer {
    events(&[json!({"type": "response.completed", "response": {"output": items}})])
}

fn output(text: &str, id: &str, phase: &str) -> Value {
    json!({"type": "message", "role": "assistant", "id": id, "phase": phase,
        "content": [{"type": "output_text", "text": text}]})
}

#[test]
fn a_server_with_message_ids_of_its_own_form_can_be_asked_again() {
    let (one, two) =
        (output("One.", "8050c022-c55f", "final_answer"), output("Two.", "8050c022-c55f", "final_answer"));
    let script =
        Script::new().then(responses_of(&[one])).then(responses_of(&[two])).then(Answer::text("Three."));
    let (place, server) = (Place::new(), serve(script));
    for prompt in [&["Go."][..], &["-c", "Next."], &["-c", "And?"]] {
        done(&place, &server, CHAT, &[&["--api", "responses"], prompt].concat());
    }
    let input = server.prompted().last().unwrap().body["input"].to_string();
    assert_says(&input, &["One.", "Two.", r#""phase":"final_answer""#]);
}

#[test]
fn reasoning_and_items_with_the_same_id_in_every_answer_go_back_each_once() {
    let answer = |thought: &str| {
        let content = json!([{"type": "reasoning_text", "text": thought}]);
        let reasoning = json!({"type": "reasoning", "id": "rs_0", "summary": [], "content": content});
        let search = json!({"type": "web_search_call", "id": "ws_0", "status": "completed"});
        responses_of(&[reasoning, search, output("Said.", "msg_0", "commentary")])
    };
    let script = Script::new().then(answer("First.")).then(answer("Second.")).then(Answer::text("Three."));
    let (place, server) = (Place::new(), serve(script));
    for prompt in [&["Go."][..], &["-c", "Next."], &["-c", "And?"]] {
        done(&place, &server, CHAT, &[&["--api", "responses"], prompt].concat());
    }
    let received = server.prompted();
    let input = received.last().unwrap().body["input"].as_array().unwrap();
    let mut ids: Vec<&str> = input.iter().filter_map(|item| item["id"].as_str()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "{input:?}");
    assert_says(&json!(input).to_string(), &["First.", "Second.", "ws_0"]);
}

#[test]
fn reasoning_that_a_server_ends_after_the_message_goes_back_before_it() {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "summary": [],
        "content": [{"type": "reasoning_text", "text": "Thought."}]});
    let message = output("Said.", "msg_1", "final_answer");
    let done_item = |place: u64, item: &Value| json!({"type": "response.output_item.done", "output_index": place, "item": item});
    let begun = |place: u64, kind: &str| json!({"type": "response.output_item.added", "output_index": place, "item": {"type": kind}});
    let stream = events(&[
        begun(0, "reasoning"),
        begun(1, "message"),
        done_item(1, &message),
        done_item(0, &reasoning),
        json!({"type": "response.completed", "response": {"output": [reasoning, message]}}),
    ]);
    let (place, server) = (Place::new(), serve(Script::new().then(stream).then(Answer::text("So."))));
    done(&place, &server, CHAT, &["--api", "responses", "Go."]);
    done(&place, &server, CHAT, &["--api", "responses", "-c", "And?"]);
    let body = server.prompted().last().unwrap().body["input"].to_string();
    let at = |text: &str| body.find(text).unwrap_or_else(|| panic!("no {text} in {body}"));
    assert!(at("Thought.") < at("Said."), "{body}");
}

#[test]
fn a_text_that_cites_sources_is_shown_as_one_text() {
    let parts = ["The sky is ", "blue", ", they say."];
    let citation =
        json!({"type": "web_search_result_location", "url": "https://example.com", "cited_text": "blue"});
    let mut all = vec![json!({"type": "message_start", "message": {"usage": {"input_tokens": 9}}})];
    for (index, text) in parts.iter().enumerate() {
        let delta = json!({"type": "citations_delta", "citation": citation});
        all.push(json!({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": text}}));
        all.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        all.push(json!({"type": "content_block_stop", "index": index}));
    }
    all.push(
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}}),
    );
    all.push(json!({"type": "message_stop"}));
    let (place, server) = (Place::new(), serve(Script::new().then(events(&all))));
    assert_eq!(done(&place, &server, CLAUDE, &["Go."])["text"], parts.concat());
}

#[test]
fn a_spoken_answer_is_shown_as_its_transcript_and_a_picture_by_its_name() {
    let chunk = |delta: Value| json!({"choices": [{"delta": delta}]});
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let spoken = json!({"audio": {"id": "a1", "data": "AAAA", "transcript": "Hello."}});
    let drawn =
        json!({"images": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]});
    for (delta, shown) in [(spoken, "Hello."), (drawn, "image_url")] {
        let script = Script::new().then(events(&[chunk(delta), end.clone()])).then(Answer::text("So."));
        let (place, server) = (Place::new(), serve(script));
        assert_says(done(&place, &server, CHAT, &["Go."])["text"].as_str().unwrap(), &[shown]);
        done(&place, &server, CHAT, &["-c", "And?"]);
    }
}

#[test]
fn a_queued_answer_is_an_error_that_says_so() {
    let queued = json!({"type": "response.queued", "response": {"status": "queued", "output": []}});
    let script = Script::new().then(events(&[queued])).repeat_last();
    let (place, server) = (Place::new(), serve(script));
    let ran = run(place.asks(&server, RESPONSES, &["Go."]).env("THROUGHLINE_MODEL_RETRIES", "0"));
    assert_ne!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["the server queued the answer and did not send it"]);
}

#[test]
fn a_claude_behind_a_chat_gateway_is_sent_its_cache_markers() {
    let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Hi."))));
    done(&place, &server, ("compatible", "anthropic/claude-sonnet-4-5"), &["Go."]);
    let body = server.prompted()[0].body.to_string();
    assert_says(&body, &[r#""cache_control":{"type":"ephemeral"}"#]);
}

#[test]
fn a_key_that_is_a_letter_of_the_message_does_not_hide_that_the_request_is_too_long() {
    let text = "word ".repeat(6_000);
    let limit = json!({"error": {"code": 400, "type": "exceed_context_size_error",
        "message": "request (19000 tokens) exceeds the available context size (16384 tokens)"}});
    let script = Script::new()
        .then(Answer::text(&text))
        .then(Answer::text(&text))
        .then(Answer::status(400, limit))
        .then(Answer::text("Summary of it."))
        .repeat_last();
    let (place, server) = (Place::new(), serve(script));
    let file = place.folder.path().join("key");
    std::fs::write(&file, "x").unwrap();
    // A policy that compacts only when the window is full.
    let key = ["--policy", "vibe", "--key-file", file.to_str().unwrap()];
    done(&place, &server, CHAT, &[&key[..], &["Go."]].concat());
    done(&place, &server, CHAT, &[&key[..], &["-c", "Next."]].concat());
    let printed = done(&place, &server, CHAT, &[&key[..], &["-c", "And now?"]].concat());
    assert_ne!(printed["compactions"], 0, "{printed}");
    assert_eq!(server.prompted()[0].header("authorization"), Some("Bearer x"));
}

#[test]
fn unknown_models_are_asked_for_their_sealed_reasoning() {
    for model in ["codex-mini-latest", "o5", "gpt-7-codex", "computer-use-preview", "openai.gpt-5.6-luna"] {
        let (place, server) = (Place::new(), serve(Script::new().then(Answer::text("Hi."))));
        done(&place, &server, ("openai", model), &["Go."]);
        let body = &server.prompted()[0].body;
        assert_eq!(body["include"], json!(["reasoning.encrypted_content"]), "{model}");
    }
}

#[test]
fn two_signals_at_once_count_once_and_the_result_is_printed() {
    for gap in [0, 1, 5] {
        let slow = Answer::text(&"Word after word. ".repeat(60)).wait_each(Duration::from_millis(50));
        let (place, server) = (Place::new(), serve(Script::new().then(slow)));
        let mut command = place.asks(&server, CLAUDE, &["-o", "json", "Go."]);
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while server.prompted().is_empty() {
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(100));
        for _ in 0..2 {
            let id = child.id().to_string();
            let _ = Command::new("kill").args(["-TERM", &id]).stderr(Stdio::null()).status().unwrap();
            sleep(Duration::from_millis(gap));
        }
        let out = child.wait_with_output().unwrap();
        let printed: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{gap}: {out:?}"));
        assert_eq!((out.status.code(), &printed["outcome"]), (Some(130), &json!("interrupted")));
    }
}

#[test]
fn after_a_kill_each_of_several_parallel_calls_has_an_answer_and_the_session_continues() {
    let call = |id: &str, command: &str| {
        ContentBlock::ToolCall(ToolCall {
            id: id.to_owned(),
            name: "shell".to_owned(),
            input: json!({ "command": command }),
        })
    };
    let calls = Answer::blocks(vec![call("c1", "touch first"), call("c2", "touch second; exec sleep 60")]);
    let (place, server) = (Place::new(), serve(Script::new().then(calls).then(Answer::text("So."))));
    let mut command = place.asks(&server, CLAUDE, &["--mode", "yolo", "Go."]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !place.work().join("second").exists() || !place.work().join("first").exists() {
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(done(&place, &server, CLAUDE, &["-c", "And?"])["text"], "So.");
    let received = server.prompted();
    let last = received.last().unwrap();
    assert_eq!(last.faults, Vec::<String>::new());
    let messages = last.body["messages"].as_array().unwrap();
    let parts = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let answered: Vec<&str> = parts.filter_map(|part| part["tool_use_id"].as_str()).collect();
    assert_eq!(answered, ["c1", "c2"], "{messages:?}");
}
