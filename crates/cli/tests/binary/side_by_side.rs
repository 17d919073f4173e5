//! Concurrency: providers that are asked for their models in parallel, and runs that start at the same time.

use std::collections::BTreeSet;
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;

use throughline_testserver::{Answer, Script};

use crate::by_hand::{answer, asked};
use crate::place::{KEY, Place, serve};
use crate::ran::run;

#[test]
fn no_provider_waits_for_another_one() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    // No request is answered before all four have arrived.
    let serving = thread::spawn(move || {
        let mut streams: Vec<TcpStream> = (0..4).map(|_| listener.accept().unwrap().0).collect();
        let asked: Vec<String> = streams.iter_mut().map(asked).collect();
        for stream in streams {
            answer(
                stream,
                "200 OK",
                "{\"data\":[{\"id\":\"a\"}],\"models\":[{\"name\":\"a\",\"modified_at\":\"\",\"size\":1}]}",
            );
        }
        asked
    });
    let place = Place::new();
    let mut command = place.bare(&["models", "--json"]);
    command.env("OLLAMA_HOST", &url);
    command.env("ANTHROPIC_BASE_URL", &url).env("ANTHROPIC_API_KEY", KEY);
    command.env("OPENAI_BASE_URL", format!("{url}/v1")).env("OPENAI_API_KEY", KEY);
    command.env("GOOGLE_GEMINI_BASE_URL", &url).env("GEMINI_API_KEY", KEY);
    let printed = run(&mut command).json();
    let reachable: Vec<_> =
        printed["providers"].as_array().unwrap().iter().map(|one| one["reachable"].as_bool()).collect();
    assert_eq!(reachable, [Some(true); 4], "{printed}");
    assert_eq!(serving.join().unwrap().len(), 4);
}

#[test]
fn runs_that_begin_at_once_have_a_session_each() {
    let place = Place::new();
    let server = serve(Script::new().then(Answer::text("Fine.")).repeat_last());
    let model = ("anthropic", "claude-sonnet-4-5");
    // One alone makes the database, and has what is copied.
    assert_eq!(run(&mut place.asks(&server, model, &["Go."])).code, Some(0));
    let begun: Vec<_> = (0..12)
        .map(|number| {
            let copied: &[&str] = if number % 3 == 2 { &["-c", "--fork"] } else { &[] };
            let asked = [&["-o", "json", "--tools", "none", "Go."][..], copied].concat();
            let mut command = place.asks(&server, model, &asked);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let mut sessions = BTreeSet::new();
    for child in begun {
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success(), "{out:?}");
        let printed: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        sessions.insert(printed["session"].as_str().unwrap().to_owned());
    }
    assert_eq!(sessions.len(), 12, "{sessions:?}");
}
