//! Limits that servers say of their models: stored, used by later sessions, listed and forgotten.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use throughline_testserver::{Answer, ErrorKind, Script, Server};

use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

const HOUSE: (&str, &str) = ("compatible", "house");

/// The bodies of the requests that asked the model.
fn bodies(server: &Server) -> Vec<Value> {
    server.received().into_iter().map(|one| one.body).filter(|body| body["messages"].is_array()).collect()
}

/// Answers after a refusal that names a window.
fn refusing(limit: u64) -> Server {
    let too_long = Answer::error(ErrorKind::TooLong { tokens: limit + 1_500, limit });
    serve(Script::new().then(too_long).then(Answer::text("Done.")).repeat_last())
}

/// The key of the house's model at a server.
fn key(server: &Server) -> String {
    format!("{}/house", server.url().trim_start_matches("http://"))
}

/// The window of a session, as its stream of events begins.
fn window(place: &Place, server: &Server, args: &[&str]) -> (Option<u64>, String) {
    let ran = run(place.asks(server, HOUSE, &["-o", "stream-json"]).args(args).arg("Continue."));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let first: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    (first["window"].as_u64(), ran.err)
}

#[test]
fn a_window_from_an_error_is_that_of_the_next_session_until_it_is_forgotten() {
    let (server, place) = (refusing(12_000), Place::new());
    let long = "Line of a log. ".repeat(2_500);
    assert_eq!(run(place.asks(&server, HOUSE, &[]).arg(&long)).code, Some(0));
    assert_eq!(bodies(&server).len(), 2, "refused, and sent again");
    let (next, said) = window(&place, &server, &[]);
    assert_eq!((next, said.as_str()), (Some(12_000), ""), "nothing is assumed any more");
    assert_eq!(bodies(&server).last().unwrap()["max_tokens"], 3_000);
    // It belongs to this server.
    let other = serve(Script::new().then(Answer::text("Done.")).repeat_last());
    assert_eq!(window(&place, &other, &[]).0, Some(32_768));

    let listed = run(&mut place.bare(&["models", "--json"])).json();
    let limits = listed["limits"].as_array().unwrap();
    let limit =
        limits.iter().find(|limit| key(&server).starts_with(limit["server"].as_str().unwrap())).unwrap();
    assert_eq!((limit["model"].as_str(), limit["window"]["tokens"].as_u64()), (Some("house"), Some(12_000)));
    assert_eq!((&limit["max_output"], &limit["window"]["from"]), (&Value::Null, &json!("error")));
    let shown = run(&mut place.bare(&["models"])).done();
    assert_says(&shown, &["limits that servers have said", &key(&server), "window", "12,000", "an error"]);

    let forgotten = run(&mut place.bare(&["models", "--forget", "house"])).done();
    assert_says(&forgotten, &["Forgotten", &key(&server), "12,000 tokens"]);
    assert_eq!(window(&place, &server, &[]).0, Some(32_768));
    let again = run(&mut place.bare(&["models", "--forget", "hause"])).misused();
    assert_says(&again, &["nothing is stored of \"hause\"", "throughline models"]);
}

#[test]
fn a_window_of_the_user_wins_over_a_stored_one_and_says_so() {
    let (server, place) = (refusing(12_000), Place::new());
    let long = "Line of a log. ".repeat(2_500);
    assert_eq!(run(place.asks(&server, HOUSE, &[]).arg(&long)).code, Some(0));
    let (own, said) = window(&place, &server, &["--window", "20k"]);
    assert_eq!(own, Some(20_000));
    assert_says(&said, &["--window 20,000 is asked for", "12,000", "throughline models --forget house"]);
    // A smaller one is no contradiction, and a longer answer is shortened instead of refused.
    assert!(!window(&place, &server, &["--window", "11k"]).1.contains("--forget"));
    let (learned, said) = window(&place, &server, &["--max-tokens", "7000"]);
    assert_eq!(learned, Some(12_000));
    assert_says(&said, &["--max-tokens 7,000 is more than house has", "--forget house"]);
}

#[test]
fn a_maximum_of_answers_from_an_error_is_learned_and_stored() {
    let message = "max_tokens is too large: 4096. This model supports at most 1500 completion tokens, whereas you provided 4096.";
    let refusal =
        json!({"error": {"message": message, "type": "invalid_request_error", "code": "invalid_value"}});
    let script = Script::new().then(Answer::status(400, refusal)).then(Answer::text("Done.")).repeat_last();
    let (server, place) = (serve(script), Place::new());
    let asked = |number: usize| bodies(&server)[number]["max_tokens"].as_u64().unwrap();
    for _ in 0..2 {
        let ran = run(place.asks(&server, HOUSE, &[]).arg("Go."));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "Done.\n"), "{ran:?}");
    }
    assert_eq!((bodies(&server).len(), asked(0), asked(1), asked(2)), (3, 4_096, 1_500, 1_500));
    let listed = run(&mut place.bare(&["models", "--json"])).json();
    assert_eq!(listed["limits"][0]["max_output"]["tokens"], 1_500);
}

#[test]
fn a_damaged_file_of_limits_is_said_and_stays() {
    let (server, place) = (refusing(12_000), Place::new());
    let data = place.folder.path().join(".local/share/throughline");
    fs::create_dir_all(&data).unwrap();
    fs::write(data.join("limits.json"), "{ damaged").unwrap();
    let long = "Line of a log. ".repeat(2_500);
    let ran = run(place.asks(&server, HOUSE, &[]).arg(&long));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["limits.json is damaged", "remove it"]);
    assert_eq!(fs::read_to_string(data.join("limits.json")).unwrap(), "{ damaged");
}

/// How often a server was asked for its models.
fn questions(server: &Server) -> usize {
    server.received().iter().filter(|one| one.path == "/v1/models").count()
}

#[test]
fn a_server_of_the_user_s_own_is_asked_once_for_the_window_of_a_model() {
    let script = || Script::new().model("house", 20_000).then(Answer::text("Done.")).repeat_last();
    let (server, place) = (serve(script()), Place::new());
    // A window that is chosen needs no question.
    assert_eq!(window(&place, &server, &["--window", "16k"]).0, Some(16_000));
    assert_eq!(questions(&server), 0);
    for _ in 0..2 {
        let (asked, said) = window(&place, &server, &[]);
        assert_eq!((asked, said.as_str()), (Some(20_000), ""), "nothing is assumed");
    }
    assert_eq!(questions(&server), 1);
    assert_eq!(bodies(&server)[1]["max_tokens"], 5_000);
    let listed = run(&mut place.bare(&["models", "--json"])).json();
    assert_eq!(listed["limits"][0]["asked"]["window"], 20_000);
    assert_says(&run(&mut place.bare(&["models"])).done(), &[&key(&server), "20,000", "its answer"]);
    // Another model may be another one, and what is forgotten is asked again.
    run(&mut place.bare(&["models", "--forget", &key(&server)])).done();
    assert_eq!(window(&place, &server, &[]).0, Some(20_000));
    assert_eq!(questions(&server), 2);
}

#[test]
fn a_server_that_does_not_say_the_window_leaves_the_assumed_one_and_is_not_asked_again() {
    let server = serve(Script::new().then(Answer::text("Done.")).repeat_last());
    let place = Place::new();
    for _ in 0..2 {
        let (assumed, said) = window(&place, &server, &[]);
        assert_eq!(assumed, Some(32_768));
        assert_says(&said, &["Unknown model \"house\": assuming a window of 32,768 tokens"]);
    }
    assert_eq!(questions(&server), 1);
    // A key is still wrong next time, or right: then it is asked.
    let server =
        serve(Script::new().key("right").model("house", 20_000).then(Answer::text("Done.")).repeat_last());
    for _ in 0..2 {
        assert_eq!(run(place.asks(&server, HOUSE, &[]).arg("Go.")).code, Some(3));
    }
    assert_eq!(questions(&server), 2);
}

#[test]
fn a_model_of_the_table_is_asked_for_at_no_other_provider() {
    let server = serve(Script::new().then(Answer::text("Done.")).repeat_last());
    let place = Place::new();
    for provider in [("anthropic", "claude-sonnet-4-5"), ("openai", "gpt-5")] {
        let ran = run(place.asks(&server, provider, &[]).arg("Go."));
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    assert!(server.received().iter().all(|one| !one.path.starts_with("/v1/models")));
}

#[test]
fn a_gateway_with_anthropic_s_api_is_asked_once_for_its_own_model() {
    let server = serve(Script::new().model("house", 20_000).then(Answer::text("Done.")).repeat_last());
    let place = Place::new();
    for _ in 0..2 {
        let ran = run(place.asks(&server, ("anthropic", "house"), &["-o", "stream-json"]).arg("Go."));
        let first: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
        assert_eq!((ran.code, &first["window"]), (Some(0), &json!(20_000)), "{ran:?}");
    }
    let asked = server.received().iter().filter(|one| one.path == "/v1/models/house").count();
    assert_eq!((asked, questions(&server)), (1, 0), "the list is not needed");
}

#[test]
fn a_server_that_never_describes_its_models_delays_the_first_request_by_two_seconds() {
    let server = serve(Script::new().then(Answer::text("Done.")).repeat_last());
    let place = Place::new();
    let silent = Silent::before(&server);
    let url = format!("http://{}/v1", silent.address);
    let args = ["run", "--base-url", &url, "--model", "house", "-o", "stream-json", "Go."];
    let ran = run(&mut place.bare(&args));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let first: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    assert_eq!(first["window"], 32_768, "the assumed one");
    let waited = silent.waited();
    assert!((1.9..2.8).contains(&waited.as_secs_f64()), "{waited:?}");
}

/// Passes what is posted on to a server, and never answers anything else.
struct Silent {
    address: SocketAddr,
    /// When each connection brought its request.
    asked: Arc<Mutex<Vec<(bool, Instant)>>>,
}

impl Silent {
    fn before(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let behind = server.url().trim_start_matches("http://").to_owned();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let times = Arc::clone(&asked);
        std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let (behind, times) = (behind.clone(), Arc::clone(&times));
                std::thread::spawn(move || pass_on(connection, &behind, &times));
            }
        });
        Self { address, asked }
    }

    /// From the first question to the first request that is no question.
    fn waited(&self) -> Duration {
        let asked = self.asked.lock().unwrap();
        let first = |posted| asked.iter().find(|(is_post, _)| *is_post == posted).unwrap().1;
        first(true) - first(false)
    }
}

fn pass_on(mut client: TcpStream, behind: &str, times: &Mutex<Vec<(bool, Instant)>>) {
    let mut start = [0; 4];
    client.read_exact(&mut start).unwrap();
    let is_post = &start == b"POST";
    times.lock().unwrap().push((is_post, Instant::now()));
    if !is_post {
        // Until the client has enough.
        let _ = std::io::copy(&mut client, &mut std::io::sink());
        return;
    }
    let mut server = TcpStream::connect(behind).unwrap();
    server.write_all(&start).unwrap();
    let (mut from, mut to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    std::thread::spawn(move || std::io::copy(&mut from, &mut to));
    let _ = std::io::copy(&mut server, &mut client);
}

#[test]
fn a_named_model_is_shown_with_the_source_of_each_limit() {
    let script = Script::new().model("house", 20_000).model("other", 9_000);
    let server = serve(script.then(Answer::text("Done.")).repeat_last());
    let place = Place::new();
    let url = format!("{}/v1", server.url());
    let named = |args: &[&str]| {
        let mut command = place.bare(&[&["models", "--json"][..], args].concat());
        run(command.env("ANTHROPIC_API_KEY", "k").env("ANTHROPIC_BASE_URL", server.url())).json()
    };
    let asked = named(&["house", "--base-url", &url]);
    assert_eq!(asked["window"], json!({"tokens": 20_000, "source": "asked"}));
    assert_eq!((&asked["reserve"], &asked["table"]["match"]), (&json!(5_000), &json!("none")));
    assert_eq!(named(&["house", "--base-url", &url, "--window", "9k"])["window"]["source"], "settings");
    let known = named(&["claude-sonnet-4-5"]);
    assert_eq!((&known["provider"], &known["name_sent"]), (&json!("anthropic"), &json!("claude-sonnet-4-5")));
    assert_eq!((&known["window"]["source"], &known["table"]["match"]), (&json!("table"), &json!("exact")));
    assert_eq!(named(&["claude-of-tomorrow", "--provider", "anthropic"])["window"]["source"], "family");
    assert_eq!(named(&["claude-opus-4-6[1m]"])["name_sent"], "claude-opus-4-6");

    let ollama = serve(Script::new().model("small", 8_000).model("large", 131_072));
    for (name, window, source) in [("small", 8_000, "asked"), ("large", 32_768, "default")] {
        let found = named(&[name, "--provider", "ollama", "--base-url", &ollama.url()]);
        assert_eq!(found["window"], json!({"tokens": window, "source": source}));
    }

    let shown = run(&mut place.bare(&["models", "house", "--base-url", &url])).done();
    assert_says(
        &shown,
        &["provider", "compatible at 127.0.0.1:", "20,000 tokens: the server says it", "unknown: no cost"],
    );
    // Without a key it is still said what is known, and no request is sent.
    let asked = server.received().len();
    for name in ["claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"] {
        let shown = run(place.bare(&["models", name]).env("ANTHROPIC_BASE_URL", server.url())).done();
        let known =
            ["anthropic at 127.0.0.1:", "200,000 tokens: the table", "$3.00 in", "set ANTHROPIC_API_KEY"];
        assert_says(&shown, &known);
    }
    let known = run(&mut place.bare(&["models", "--json", "gpt-5.2"])).json();
    assert_eq!((&known["provider"], &known["table"]["match"]), (&json!("openai"), &json!("exact")));
    assert!(known["missing"].as_str().unwrap().contains("OPENAI_API_KEY"), "{known}");
    assert_eq!(server.received().len(), asked);
    let refused = run(&mut place.bare(&["models", "foo/bar"])).failed();
    assert_says(&refused, &["there is no provider \"foo\""]);
}

#[test]
fn a_name_with_1m_is_sent_without_it_and_asks_for_the_long_window_where_the_model_has_it() {
    for (name, sent, beta) in [
        ("claude-opus-4-6[1m]", "claude-opus-4-6", true),
        ("claude-sonnet-4-5[1m]", "claude-sonnet-4-5", false),
        ("claude-opus-4-6", "claude-opus-4-6", false),
    ] {
        let (server, place) = (serve(Script::new().then(Answer::text("Done."))), Place::new());
        let ran = run(&mut place.asks(&server, ("anthropic", name), &["Go."]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let asked = &server.prompted()[0];
        let asks =
            asked.header("anthropic-beta").is_some_and(|value| value.contains("context-1m-2025-08-07"));
        assert_eq!((asked.body["model"].as_str(), asks), (Some(sent), beta), "{name}");
    }
}

#[test]
fn a_figure_of_the_settings_that_cannot_hold_names_its_setting() {
    let server = serve(Script::new().then(Answer::text("Here.")).repeat_last());
    let with = |variable: &str, value: &str| {
        let place = Place::new();
        run(place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["Go."]).env(variable, value))
    };
    for (variable, value, says) in [
        (
            "THROUGHLINE_MODEL_WINDOW",
            "9000000",
            "($THROUGHLINE_MODEL_WINDOW) is more than claude-sonnet-4-5 has",
        ),
        ("THROUGHLINE_AGENT_MAX_OUTPUT_TOKENS", "90000", "agent.max_output_tokens = 90000 ("),
    ] {
        let ran = with(variable, value);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_says(&ran.err, &[says, "which is what it gets"]);
    }
    for (variable, value, says) in [
        ("THROUGHLINE_AGENT_WARN_AT", "-900000", "is not between 0 and"),
        ("THROUGHLINE_AGENT_COMPACT_AT", "9000000", "is not between 0 and"),
        (
            "THROUGHLINE_MODEL_THINKING",
            "5",
            "model.thinking = 5 ($THROUGHLINE_MODEL_THINKING) is out of the range",
        ),
        ("THROUGHLINE_AGENT_CONTEXT_BUDGET", "10", "write a whole number, 1000 or above"),
    ] {
        assert_says(&with(variable, value).misused(), &[variable, says]);
    }
    assert_eq!(with("THROUGHLINE_MODEL_THINKING", "0").code, Some(0));
}
