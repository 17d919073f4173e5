//! Answers of the mock: texts, calls, loops, thinking; and what it noted of our requests.

use serde_json::{Value, json};
use throughline_agent::Event;
use throughline_conversation::{AnswerIdentity, ContentBlock, Message, Thinking};

use crate::aimock::{Aimock, TEST_ID, fixtures, program};
use crate::for_each_protocol;
use crate::mocked::Mocked;
use crate::protocol::{MAX_OUTPUT, Protocol, THINKING};

#[test]
fn the_mock_finds_nothing_wrong_with_its_answers() {
    let mut validate = program("aimock");
    let output = validate.args(["validate", "--strict"]).arg(fixtures()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

for_each_protocol!(a_text, two_calls_side_by_side, a_loop_of_calls, thinking_between_calls);

// S3-31
async fn a_text(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "text").await;
    let turn = session.turn("Please say hello.").await;
    let hello = "Hello: ça va? Добрый день, 你好. That was all.";
    assert_eq!((turn.text(), turn.shown().as_str()), (hello, hello));
    let identity = turn.events().find_map(|event| match event {
        Event::Answered { usage, stop, identity }
            if *usage == turn.usage().first().copied() && stop == "end_turn" =>
        {
            Some(identity)
        }
        _ => None,
    });
    let Some(AnswerIdentity { id, model }) = identity else { panic!("no answer: {turn:?}") };
    // The mock's answers of Gemini name neither; Ollama's protocol has no id.
    assert_eq!(id.is_some(), !matches!(protocol, Protocol::Gemini | Protocol::Ollama), "{turn:?}");
    let named = (protocol != Protocol::Gemini).then(|| protocol.model_name());
    assert_eq!(model.as_deref(), named, "{turn:?}");
    let journal = session.journal();
    assert_eq!(journal.len(), 1);
    check_sent(protocol, &journal[0]);
    session.assert_usable().await;
}

/// What the mock keeps of a request. It translates all but Chat Completions into a form of its own and keeps that,
/// so what is particular to a protocol is looked at in the recorded cases.
fn check_sent(protocol: Protocol, entry: &Value) {
    let path = entry["path"].as_str().unwrap().split('?').next().unwrap();
    assert_eq!((&entry["method"], path), (&json!("POST"), protocol.path()));
    let (headers, body) = (&entry["headers"], &entry["body"]);
    assert_eq!(headers["content-type"], "application/json");
    assert_eq!(headers["content-length"].as_str().map(|length| length.parse::<u64>().is_ok()), Some(true));
    for name in ["x-api-key", "x-goog-api-key", "authorization"] {
        // It does not keep keys, but it asks for them.
        let kept = if name == protocol.key_header() { json!("[REDACTED]") } else { Value::Null };
        assert_eq!(headers[name], kept, "{name}");
    }
    let version = if protocol == Protocol::Anthropic { json!("2023-06-01") } else { Value::Null };
    assert_eq!(headers["anthropic-version"], version);

    assert_eq!((&body["model"], &body["stream"]), (&json!(protocol.model_name()), &json!(true)));
    let tools = body["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]);
    let ours: Vec<_> = tools.filter(|tool| tool["name"] == "climb" || tool["name"] == "lookup").collect();
    assert_eq!(ours.len(), 2, "{body}");
    assert_eq!(ours[1]["description"], "Says how long a name is.");
    if protocol != Protocol::Gemini {
        assert_eq!(ours[1]["parameters"]["properties"], json!({"name": {"type": "string"}}));
    }
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<_> = messages.iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["system", "user"]);
    assert!(messages[0]["content"].as_str().unwrap().starts_with("You are an agent."));
    assert_eq!(messages[1]["content"], "Please say hello.");
    if protocol == Protocol::Chat {
        assert_eq!(body["max_completion_tokens"], MAX_OUTPUT);
        assert_eq!(body["stream_options"], json!({"include_usage": true}));
        assert_eq!(body["prompt_cache_key"], "wire");
    } else {
        assert_eq!(body["max_tokens"], MAX_OUTPUT);
    }
}

async fn two_calls_side_by_side(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "parallel").await;
    let turn = session.turn("Please look up both.").await;
    assert_eq!(turn.text(), "Alpha is 5 long, beta is 4.");
    let mut started = Vec::new();
    for event in turn.events() {
        if let Event::ToolStarted { call_id, name, input } = event {
            started.push((call_id.clone(), name.clone(), input["name"].clone()));
        }
    }
    assert_eq!(started.len(), 2, "{started:?}");
    assert_eq!(started.iter().map(|(_, name, _)| name.as_str()).collect::<Vec<_>>(), ["lookup", "lookup"]);
    assert_eq!([&started[0].2, &started[1].2], ["alpha", "beta"]);
    let journal = session.journal();
    assert_eq!(journal.len(), 2);
    let messages = journal[1]["body"]["messages"].as_array().unwrap();
    let results: Vec<_> = messages.iter().filter(|message| message["role"] == "tool").collect();
    let said = ["alpha has 5 letters", "beta has 4 letters"].map(|said| match protocol {
        // A response is an object.
        Protocol::Gemini => json!({"output": said}).to_string(),
        _ => said.to_owned(),
    });
    assert_eq!(results.iter().map(|result| result["content"].as_str().unwrap()).collect::<Vec<_>>(), said);
    // It gives no ids to calls in the form of Gemini.
    if !matches!(protocol, Protocol::Ollama | Protocol::Gemini) {
        let ids: Vec<_> = started.iter().map(|(id, ..)| id.as_str()).collect();
        assert_eq!(ids, ["call_alpha", "call_beta"]);
        assert_eq!(results.iter().map(|result| &result["tool_call_id"]).collect::<Vec<_>>(), ids);
    }
    session.assert_usable().await;
}

async fn a_loop_of_calls(protocol: Protocol) {
    let mut session = Mocked::open(protocol, "loop").await;
    let turn = session.turn("Please climb.").await;
    assert_eq!(turn.text(), "I am at the top.");
    let journal = session.journal();
    assert_eq!(journal.len(), 5);
    // Each request continues where the one before ended.
    let sent = |entry: &Value| entry["body"]["messages"].as_array().unwrap().clone();
    for pair in journal.windows(2) {
        let (before, after) = (sent(&pair[0]), sent(&pair[1]));
        assert!(after.len() > before.len() && after.starts_with(&before), "{before:?} {after:?}");
    }
    let results: Vec<(bool, String)> = session
        .messages()
        .iter()
        .flat_map(Message::tool_results)
        .map(|result| (result.is_error, result.content.clone()))
        .collect();
    let on = |level| (false, format!("you are on level {level}"));
    assert_eq!(results, [on(1), on(2), on(3), (true, "there is no level 99".to_owned())]);
    let mut ids: Vec<_> =
        session.messages().iter().flat_map(Message::tool_calls).map(|call| call.id.clone()).collect();
    assert_eq!(ids.len(), 4);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 4, "ids never come twice");
    session.assert_usable().await;
}

async fn thinking_between_calls(protocol: Protocol) {
    let mut session = Mocked::open_with(protocol, "thinking", |client| client.thinks = true).await;
    let turn = session.turn("Please ponder.").await;
    assert_eq!(turn.text(), "Alpha it is.");
    let thoughts = ["Alpha first, since it comes first.", "That is all there is to know."];
    let shown = if protocol == Protocol::Ollama { String::new() } else { thoughts.concat() };
    assert_eq!(turn.thought(), shown);
    // With thinking on and `--strict` it refuses a request whose calls do not begin with their signed thinking.
    assert_eq!(session.statuses(), [200, 200]);
    let kept: Vec<Thinking> =
        session.messages().into_iter().flat_map(|message| message.content).filter_map(thinking).collect();
    match protocol {
        Protocol::Anthropic => {
            assert_eq!(kept.len(), 3, "{kept:?}");
            assert_eq!(kept[0].redacted.as_deref(), Some("b3BhcXVlIHRob3VnaHQ="));
            assert_eq!(kept[1].text, thoughts[0]);
            assert_eq!(kept[1].signature.as_deref(), Some("c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg=="));
            refuses_a_call_without_its_thinking();
        }
        Protocol::Responses => {
            assert_eq!(kept.iter().map(|thinking| thinking.text.as_str()).collect::<Vec<_>>(), thoughts);
            assert!(kept.iter().all(|thinking| thinking.signature.is_some() && thinking.redacted.is_some()));
        }
        Protocol::Chat => {
            assert_eq!(kept.iter().map(|thinking| thinking.text.as_str()).collect::<Vec<_>>(), thoughts);
        }
        Protocol::Gemini => {
            let texts: Vec<&str> = kept.iter().map(|thinking| thinking.text.as_str()).collect();
            assert!(thoughts.iter().all(|thought| texts.contains(thought)), "{kept:?}");
        }
        Protocol::Ollama => assert_eq!(kept, []),
    }
    session.assert_usable().await;
}

fn thinking(block: ContentBlock) -> Option<Thinking> {
    if let ContentBlock::Thinking(thinking) = block { Some(thinking) } else { None }
}

/// The counter-check: the mock does look.
fn refuses_a_call_without_its_thinking() {
    let body = json!({
        "model": Protocol::Anthropic.model_name(),
        "max_tokens": MAX_OUTPUT,
        "stream": true,
        "thinking": {"type": "enabled", "budget_tokens": THINKING},
        "messages": [
            {"role": "user", "content": "Please ponder."},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "lookup", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "5"}]},
        ],
    });
    let (status, answer) = Aimock::running().post("/v1/messages", &[(TEST_ID, "unsigned")], &body);
    assert_eq!(status, 400, "{answer}");
    assert!(answer.contains("must begin with a `thinking` block"), "{answer}");
}
