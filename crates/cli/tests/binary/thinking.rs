//! Models of Chat Completions that want back what they thought.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Thinking, ToolCall};
use throughline_testserver::{Answer, Demand, Script};

use crate::place::{Place, serve};
use crate::ran::run;

/// A thought, a signature, and a call.
fn works(number: u64) -> Answer {
    let thinking = |field: &str, text: String, redacted: Option<String>| {
        ContentBlock::Thinking(Thinking { text, signature: Some(field.to_owned()), redacted })
    };
    let signed = json!({"google": {"thought_signature": format!("Ag{number}=")}});
    Answer::blocks(vec![
        thinking("reasoning_content", format!("Thought {number}."), None),
        thinking("extra_content", String::new(), Some(signed.to_string())),
        ContentBlock::ToolCall(ToolCall {
            id: format!("call_{number}"),
            name: "read_file".to_owned(),
            input: json!({"path": "a.txt"}),
        }),
    ])
}

#[test]
fn a_tool_loop_continues_with_a_model_that_needs_its_thinking() {
    // The second of the table, and one that it does not know.
    for (model, demand) in [("kimi-k2.5", Demand::Thinking), ("house", Demand::Signatures)] {
        let script =
            Script::new().demands(demand).then(works(1)).then(works(2)).then(Answer::text("It is alpha."));
        let server = serve(script);
        let place = Place::new();
        let ran = run(&mut place.asks(&server, ("compatible", model), &["-o", "json", "What is in a.txt?"]));
        assert_eq!(ran.code, Some(0), "{model}: {ran:?}");
        assert!(ran.out.contains("It is alpha."), "{model}: {ran:?}");
        let received = server.received();
        assert!(received.iter().all(|request| request.faults.is_empty()), "{model}: {received:?}");
        let last = received.last().unwrap().body["messages"].to_string();
        for number in [1, 2] {
            assert!(
                last.contains(&format!("\"reasoning_content\":\"Thought {number}.\"")),
                "{model}: {last}"
            );
            assert!(last.contains(&format!("\"thought_signature\":\"Ag{number}=\"")), "{model}: {last}");
        }
    }
}

/// The body of the request of a run with this thinking budget.
fn body(provider: (&str, &str), more: &[&str], budget: &str) -> Value {
    let script = Script::new().model(provider.1, 40_960).then(Answer::text("Done.")).repeat_last();
    let (server, place) = (serve(script), Place::new());
    let ran = run(place.asks(&server, provider, more).args(["--thinking", budget, "Go."]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let prompted = server.prompted();
    prompted
        .iter()
        .find(|one| !one.body["messages"].is_null() || !one.body["input"].is_null())
        .unwrap()
        .body
        .clone()
}

#[test]
fn a_continued_run_asks_for_as_much_thinking() {
    let server = serve(Script::new().then(Answer::text("Done.")).repeat_last());
    let place = Place::new();
    let asked_of = |model: &str, more: &[&str]| {
        let ran = run(place.asks(&server, ("anthropic", model), more).arg("Go."));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        server.prompted().last().unwrap().body["thinking"]["budget_tokens"].clone()
    };
    let asked = |more: &[&str]| asked_of("claude-sonnet-4-5", more);
    assert_eq!(asked(&["--thinking", "2048"]), 2_048);
    assert_eq!(asked(&["-c"]), 2_048);
    assert_eq!(asked(&["-c", "--thinking", "3000"]), 3_000);
    assert_eq!(asked(&["-c"]), 3_000);
    // Another model is asked for what the settings say.
    assert_eq!(asked_of("claude-opus-4-5", &["-c"]), Value::Null);
}

#[test]
fn a_budget_is_an_effort_where_no_number_is_taken() {
    for (budget, effort) in [("1", "low"), ("2k", "low"), ("2048", "medium"), ("99999999", "high")] {
        let responses = body(("openai", "gpt-5"), &[], budget);
        assert_eq!(responses["reasoning"], json!({"effort": effort}), "{budget}");
        for provider in [("openai", "gpt-5"), ("compatible", "house")] {
            let chat = body(provider, &["--api", "chat"], budget);
            assert_eq!(chat["reasoning_effort"], effort, "{budget}");
        }
        assert_eq!(body(("ollama", "gpt-oss:20b"), &[], budget)["think"], effort, "{budget}");
        assert_eq!(body(("ollama", "qwen3:8b"), &[], budget)["think"], true, "{budget}");
    }
    assert_eq!(body(("ollama", "qwen3:8b"), &[], "0")["think"], false);
}
