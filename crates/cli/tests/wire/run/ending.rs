//! Runs that end early, or with less than an answer.

use serde_json::json;
use throughline_testserver::Answer;

use super::home::{Home, Ran};
use super::service::{KEY, Service};
use crate::for_each_service;

for_each_service!(a_limit_of_requests, arguments_that_are_no_json, an_empty_answer);

fn a_limit_of_requests(service: Service) {
    let home = Home::new();
    let call = Answer::call("call_1", "read_file", json!({"path": "note.txt"}));
    let server = service.server([call, Answer::text("Teal.")]);
    let mut command = service.run(&home, &server.url(), KEY);
    let ran =
        Ran::of(command.args(["--output", "json", "--max-turns", "1", "What does the note say?"])).ended(5);
    let printed = ran.object();
    assert_eq!((&printed["outcome"], &printed["requests"]), (&json!("limit"), &json!(1)), "{printed}");
    // The call was run and is stored; the next run continues from there.
    let ran =
        Ran::of(service.run(&home, &server.url(), KEY).args(["--continue", "--output", "json"])).ended(0);
    let next = ran.object();
    assert_eq!((&next["text"], &next["session"]), (&json!("Teal."), &printed["session"]));
}

fn arguments_that_are_no_json(service: Service) {
    let home = Home::new();
    let call = Answer::call("call_broken", "read_file", json!({"path": "note.txt"})).bad_input();
    let server = service.server([call, Answer::text("I could not read it.")]);
    let mut command = service.run(&home, &server.url(), KEY);
    command.env("THROUGHLINE_MODEL_RETRIES", "1");
    let objects =
        Ran::of(command.args(["--output", "stream-json", "What does the note say?"])).ended(0).objects();
    if service == Service::Gemini {
        // Such a call is not sent: the answer ends as one that the server could not read, and is asked for again.
        assert_eq!(objects[objects.len() - 1]["text"], "I could not read it.");
        assert_eq!(server.received().len(), 2);
        return;
    }
    let finished = objects.iter().find(|object| object["type"] == "tool_finished").unwrap();
    assert_eq!(finished["is_error"], true);
    if service != Service::Ollama {
        assert_eq!(finished["call_id"], "call_broken");
    }
    assert_eq!(objects[objects.len() - 1]["text"], "I could not read it.");
    // The model gets the error under the call's own id.
    let received = server.received();
    let last = received.last().unwrap();
    assert_eq!(last.faults, [""; 0], "{}", last.body);
    let conversation = service.protocol().conversation(&last.body);
    let result = conversation[conversation.len() - 1].to_string();
    assert!(result.contains("JSON") || result.contains("json"), "{result}");
    if service != Service::Ollama {
        assert!(result.contains("call_broken"), "{result}");
    }
}

fn an_empty_answer(service: Service) {
    let home = Home::new();
    let nothing = || Answer::blocks(Vec::new());
    // It is asked for once more by itself.
    let server = service.server([nothing(), nothing(), Answer::text("Here I am.")]);
    let ran =
        Ran::of(service.run(&home, &server.url(), KEY).args(["--output", "json", "Are you there?"])).ended(4);
    let printed = ran.object();
    assert_eq!(
        (&printed["outcome"], &printed["is_error"]),
        (&json!("empty_answer"), &json!(true)),
        "{printed}"
    );
    let ran = Ran::of(service.run(&home, &server.url(), KEY).args(["-c", "-o", "json", "Again?"])).ended(0);
    assert_eq!(ran.object()["text"], "Here I am.");
}
