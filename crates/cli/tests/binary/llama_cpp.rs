//! What the server of llama.cpp has answered, recorded: its refusal of a prompt that is too long, its stream and its usage.
//! The suite `local` asks the server itself.

use serde_json::Value;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::ran::{assert_says, last_object, run};

const OVERFLOW: &str = include_str!("llama_cpp/overflow.json");
const FIRST: &[u8] = include_bytes!("llama_cpp/first.sse");

fn stream(bytes: &[u8]) -> Answer {
    Answer::raw("text/event-stream", bytes.to_vec())
}

#[test]
fn a_window_that_a_refusal_names_is_learned_and_what_does_not_fit_it_is_shown_in_part() {
    let refusal: Value = serde_json::from_str(OVERFLOW).unwrap();
    let script = Script::new().then(Answer::status(400, refusal)).then(stream(FIRST));
    let (server, place) = (serve(script.lenient()), Place::new());
    let url = format!("{}/v1", server.url());
    let given = ["--base-url", &url, "--model", "smollm2"];
    let long = "Line of a log. ".repeat(2_000);
    let asked = [&["run", "-o", "json", "--window", "32768"][..], &given, &[&long]].concat();
    let ran = run(&mut place.bare(&asked));
    // The recorded answer ends at its limit of eight tokens.
    assert_eq!((ran.code, last_object(&ran)["outcome"].as_str()), (Some(5), Some("cut_off")), "{ran:?}");

    let sent: Vec<String> =
        server.received().iter().filter(|one| one.body.is_object()).map(|one| one.body.to_string()).collect();
    assert_eq!(sent.len(), 2, "the refused request, and one that fits");
    assert!(sent[0].len() > 30_000 && sent[1].len() + 20_000 < sent[0].len(), "{}", sent[1].len());
    assert_says(&sent[1], &["read_result"]);
}
