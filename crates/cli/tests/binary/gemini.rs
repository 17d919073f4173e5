//! Google's models by the Gemini API and by Code Assist: a task with tools, switches, and how requests fail.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_completion::StopReason;
use throughline_conversation::ContentBlock;
use throughline_testserver::{Answer, ErrorKind, Received, Script, Server};

use crate::place::{KEY, Place, serve};
use crate::ran::{assert_says, last_object, run};

const MODEL: &str = "gemini-3.5-flash";

/// A command with Google's services at this server.
fn google(place: &Place, server: &Server, args: &[&str]) -> Command {
    let mut command = place.bare(args);
    command
        .env("GOOGLE_GEMINI_BASE_URL", server.url())
        .env("GEMINI_API_KEY", KEY)
        .env("CODE_ASSIST_ENDPOINT", server.url())
        .env("GOOGLE_CLOUD_ACCESS_TOKEN", KEY)
        .env("GOOGLE_CLOUD_PROJECT", "project-1")
        .env("ANTHROPIC_BASE_URL", server.url())
        .env("ANTHROPIC_API_KEY", KEY);
    command
}

fn reads(id: &str) -> Answer {
    Answer::call(id, "read_file", json!({"path": "a.txt"}))
}

/// The requests for answers.
fn asked(server: &Server) -> Vec<Received> {
    let all = server.received().into_iter();
    all.filter(|request| request.method == "POST" && !request.path.contains("count")).collect()
}

/// The parts of the last two contents.
fn last_parts(body: &Value) -> (&[Value], &[Value]) {
    let contents = body["contents"].as_array().unwrap();
    let parts = |back: usize| contents[contents.len() - back]["parts"].as_array().unwrap().as_slice();
    (parts(2), parts(1))
}

// S4-03 S4-05
#[test]
fn a_task_with_tools_is_done_by_either_service() {
    for (provider, path) in [
        ("gemini", "/v1beta/models/gemini-3.5-flash:streamGenerateContent"),
        ("gemini_gca", "/v1internal:streamGenerateContent"),
    ] {
        let place = Place::new();
        let server = serve(Script::new().key(KEY).then(reads("c1")).then(Answer::text("alpha, beta")));
        let ran = run(&mut google(
            &place,
            &server,
            &["run", "--provider", provider, "-m", MODEL, "What is in a.txt?"],
        ));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "alpha, beta\n"), "{ran:?}");
        let asked = asked(&server);
        assert_eq!(asked.len(), 2);
        for request in &asked {
            assert_eq!(
                (request.path.as_str(), request.query.as_str(), &request.faults),
                (path, "alt=sse", &vec![])
            );
        }
        let body = match provider {
            "gemini" => asked[1].body.clone(),
            _ => {
                assert_eq!(
                    (&asked[1].body["model"], &asked[1].body["project"]),
                    (&json!(MODEL), &json!("project-1"))
                );
                asked[1].body["request"].clone()
            }
        };
        let (call, result) = last_parts(&body);
        // The signature goes back on the call that it came with.
        let signature = call[0]["thoughtSignature"].as_str().unwrap();
        assert!(signature.starts_with("c2ln"), "{call:?}");
        assert_eq!(
            call[0]["functionCall"],
            json!({"id": "c1", "name": "read_file", "args": {"path": "a.txt"}})
        );
        let answered = &result[0]["functionResponse"];
        assert_eq!((&answered["name"], &answered["id"]), (&json!("read_file"), &json!("c1")));
        assert!(answered["response"]["output"].as_str().unwrap().contains("alpha"), "{answered}");
    }
}

#[test]
fn a_session_moves_to_gemini_and_back() {
    let place = Place::new();
    let script = Script::new().key(KEY).then(reads("toolu_1")).then(Answer::text("One."));
    let script = script.then(reads("c2")).then(Answer::text("Two.")).then(Answer::text("Three."));
    let server = serve(script);
    for (args, said) in [
        (&["run", "--provider", "anthropic", "Read it."][..], "One.\n"),
        (&["run", "-c", "-m", "gemini/gemini-3.5-flash", "Read it again."], "Two.\n"),
        (&["run", "-c", "--provider", "anthropic", "-m", "claude-sonnet-5-5", "And now?"], "Three.\n"),
    ] {
        let ran = run(&mut google(&place, &server, args));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), said), "{ran:?}");
    }
    assert!(server.received().iter().all(|request| request.faults.is_empty()));
    let asked = asked(&server);
    let to: Vec<bool> = asked.iter().map(|request| request.path.contains("gemini")).collect();
    assert_eq!(to, [false, false, true, true, false]);
    let (call, result) = last_parts(&asked[3].body);
    assert!(call.iter().any(|part| part["thoughtSignature"].is_string()), "{call:?}");
    assert!(result.iter().any(|part| part["functionResponse"].is_object()), "{result:?}");
    // Nothing of Google's is sent to Anthropic.
    let last = asked[4].body.to_string();
    assert!(!last.contains("thoughtSignature") && last.contains("Two."), "{last}");
}

// S4-04
#[test]
fn tool_calls_stay_calls_between_the_two_services() {
    let place = Place::new();
    let server =
        serve(Script::new().key(KEY).then(reads("c1")).then(Answer::text("One.")).then(Answer::text("Two.")));
    for (args, said) in [
        (&["run", "-m", "gemini/gemini-3.5-flash", "Read it."][..], "One.\n"),
        (&["run", "-c", "-m", "gemini_gca/gemini-3.5-flash", "And now?"], "Two.\n"),
    ] {
        let ran = run(&mut google(&place, &server, args));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), said), "{ran:?}");
    }
    let request = &asked(&server)[2].body["request"]["contents"];
    assert_eq!(request[1]["parts"][0]["functionCall"]["name"], "read_file", "{request}");
    assert_eq!(request[2]["parts"][0]["functionResponse"]["name"], "read_file", "{request}");
}

#[test]
fn a_refusal_says_why() {
    let place = Place::new();
    let blocked = Answer::blocks(Vec::new()).stop(StopReason::Refusal);
    let text = ContentBlock::Text { text: "I would".to_owned() };
    let server =
        serve(Script::new().then(blocked).then(Answer::blocks(vec![text]).stop(StopReason::Refusal)));
    let ask = |server: &Server| {
        run(&mut google(&place, server, &["run", "--provider", "gemini", "-o", "json", "Go."]))
    };
    let ran = ask(&server);
    assert_eq!(last_object(&ran)["outcome"], "refused", "{ran:?}");
    assert_says(&ran.out, &["PROHIBITED_CONTENT"]);
    let ran = ask(&server);
    assert_eq!(last_object(&ran)["outcome"], "refused", "{ran:?}");
    assert_says(&ran.out, &["SAFETY"]);
}

#[test]
fn the_wait_that_google_asks_for_is_kept() {
    let place = Place::new();
    let limited = Answer::error(ErrorKind::RateLimited { retry_after_s: Some(2) });
    let server = serve(Script::new().then(limited).then(Answer::text("Done.")));
    let start = Instant::now();
    let ran = run(&mut google(&place, &server, &["run", "--provider", "gemini", "Go."]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Done.\n"), "{ran:?}");
    assert!(start.elapsed() >= Duration::from_secs(2));
}

#[test]
fn a_bad_sample_is_asked_for_again() {
    let place = Place::new();
    let server = serve(Script::new().then(reads("c1").bad_input()).then(Answer::text("Done.")));
    let ran = run(&mut google(&place, &server, &["run", "--provider", "gemini", "Go."]));
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Done.\n"), "{ran:?}");
}

#[test]
fn refused_keys_and_unknown_models_are_named() {
    let place = Place::new();
    let server =
        serve(Script::new().key("another").model(MODEL, 1_000_000).then(Answer::text("Never said.")));
    for (provider, said) in
        [("gemini", "API key not valid"), ("gemini_gca", "invalid authentication credentials")]
    {
        let ran = run(&mut google(&place, &server, &["run", "--provider", provider, "Go."]));
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert_says(&ran.err, &[said]);
        assert!(!ran.err.contains(KEY), "{ran:?}");
    }
    let server = serve(Script::new().key(KEY).model(MODEL, 1_000_000));
    let ran = run(&mut google(&place, &server, &["run", "--provider", "gemini", "-m", "gemini-9", "Go."]));
    assert_says(&ran.err, &["models/gemini-9 is not found"]);
    let mut without = place.bare(&["run", "--provider", "gemini", "Go."]);
    assert_says(&run(&mut without).err, &["provider gemini needs a key", "set GEMINI_API_KEY"]);
}

#[test]
fn a_request_that_is_too_long_is_compacted() {
    let place = Place::new();
    let long = Answer::error(ErrorKind::TooLong { tokens: 1_100_000, limit: 1_048_576 });
    let server = serve(Script::new().then(reads("c1")).then(long).repeat_last());
    let args = ["run", "--provider", "gemini", "-o", "json", "Go."];
    let result = last_object(&run(&mut google(&place, &server, &args)));
    assert_eq!((&result["outcome"], &result["compactions"]), (&json!("failed"), &json!(1)), "{result}");
    assert_says(result["error"].as_str().unwrap(), &["too long for the model", "(1048576)"]);
}

#[test]
fn its_models_are_listed() {
    let place = Place::new();
    let server = serve(Script::new().key(KEY).model(MODEL, 1_000_000).model("gemini-2.5-pro", 1_000_000));
    let mut command = google(&place, &server, &["models", "--json"]);
    // Google's other name of the variable.
    let ran = run(command.env_remove("GEMINI_API_KEY").env("GOOGLE_API_KEY", KEY));
    let printed: Value = serde_json::from_str(&ran.out).unwrap();
    let found =
        printed["providers"].as_array().unwrap().iter().find(|found| found["provider"] == "gemini").unwrap();
    assert_eq!((&found["reachable"], &found["key"]), (&json!(true), &json!("GOOGLE_API_KEY")), "{found}");
    let names: Vec<&Value> =
        found["models"].as_array().unwrap().iter().map(|model| &model["model"]).collect();
    assert_eq!(names, [MODEL, "gemini-2.5-pro"]);
}

#[test]
fn thinking_is_asked_for_and_not_repeated() {
    let place = Place::new();
    let thinking =
        throughline_conversation::Thinking { text: "Hm.".to_owned(), signature: None, redacted: None };
    let text = ContentBlock::Text { text: "Done.".to_owned() };
    let server = serve(
        Script::new()
            .then(Answer::blocks(vec![ContentBlock::Thinking(thinking), text]))
            .then(Answer::text("Again.")),
    );
    let args = ["run", "--provider", "gemini", "--thinking", "4096", "Go."];
    assert_eq!(run(&mut google(&place, &server, &args)).code, Some(0));
    assert_eq!(run(&mut google(&place, &server, &["run", "-c", "More."])).code, Some(0));
    let asked = asked(&server);
    let config = &asked[0].body["generationConfig"]["thinkingConfig"];
    assert_eq!(config, &json!({"thinkingLevel": "medium", "includeThoughts": true}));
    assert!(!asked[1].body["contents"].to_string().contains("Hm."));
}
