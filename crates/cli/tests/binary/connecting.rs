//! Which provider is asked, and where keys and passwords do not go.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use throughline_testserver::{Answer, Script, Server};

use crate::place::{KEY, Place, serve};
use crate::ran::{assert_says, run};

/// The key in the file, and the password in addresses.
const SECRET: &str = "sk-file-81c4d7-canary";

/// A server that answers anything.
fn any() -> Server {
    serve(Script::new().then(Answer::text("Here.")).repeat_last())
}

/// A place with a key in a file, and `run` with these arguments, where all providers are this server.
fn asks(server: &Server, args: &[&str]) -> (Place, Command) {
    let place = Place::new();
    fs::write(place.work().join("key"), SECRET).unwrap();
    let mut all = vec!["run", "-o", "json"];
    all.extend(args);
    all.push("Go.");
    let mut command = place.bare(&all);
    let url = server.url();
    command.env("ANTHROPIC_BASE_URL", &url).env("OPENAI_BASE_URL", format!("{url}/v1"));
    (place, command)
}

/// Every header that a server was sent.
fn headers(server: &Server) -> String {
    let received = server.received();
    received.iter().flat_map(|request| &request.headers).map(|(_, value)| format!("{value}\n")).collect()
}

#[test]
fn a_key_file_and_a_header_go_to_no_provider_that_was_not_named() {
    let header = format!("x-gateway: {SECRET}");
    for (option, value) in [("--key-file", "key"), ("--header", header.as_str())] {
        for keys in [&[][..], &["ANTHROPIC_API_KEY"], &["OPENAI_API_KEY"]] {
            let server = any();
            let (_place, mut command) = asks(&server, &[option, value]);
            let ran = run(command.envs(keys.iter().map(|name| (name, KEY))));
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert_says(&ran.err, &[option, "needs --provider"]);
            assert!(server.received().is_empty() && !format!("{ran:?}").contains(SECRET), "{ran:?}");
        }
        for named in [&["--provider", "openai"][..], &["--model", "openai/gpt-5"]] {
            let server = any();
            let (_place, mut command) = asks(&server, &[named, &[option, value]].concat());
            let ran = run(command.env("OPENAI_API_KEY", KEY));
            assert_eq!(ran.code, Some(0), "{ran:?}");
            assert!(headers(&server).contains(SECRET), "{ran:?}");
        }
    }
}

#[test]
fn an_address_that_is_named_alone_is_sent_no_key_of_the_environment() {
    // Servers like this one have models of others, and name them so.
    for model in ["house", "anthropic/claude-sonnet-4-5", "openai/gpt-5"] {
        let (server, elsewhere) = (any(), any());
        let url = format!("{}/v1", server.url());
        let (_place, mut command) = asks(&elsewhere, &["--base-url", &url, "--model", model]);
        let ran = run(command.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!headers(&server).contains(KEY) && elsewhere.received().is_empty(), "{ran:?}");
        assert_eq!(server.prompted()[0].body["model"], model);
    }
    // Nor when it is asked for its models.
    let server = any();
    let url = format!("{}/v1", server.url());
    let place = Place::new();
    let mut command = place.bare(&["models", "--json", "--base-url", &url, "--model", "house"]);
    command.env("OPENAI_BASE_URL", "http://127.0.0.1:9").env("OPENAI_API_KEY", KEY);
    run(&mut command).json();
    assert!(server.received().iter().all(|one| one.path == "/v1/models"));
    assert!(!headers(&server).contains(KEY));
}

#[test]
fn models_shows_no_password_of_an_address() {
    let address = format!("http://me:{SECRET}@127.0.0.1:9/v1?key={SECRET}");
    for args in [&["models"][..], &["models", "--json"]] {
        let place = Place::new();
        let own = ["--provider", "compatible", "--model", "house", "--base-url", &address];
        let mut command = place.bare(&[args, &own].concat());
        for variable in ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "OLLAMA_HOST"] {
            command.env(variable, &address);
        }
        let ran = run(command.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_says(&ran.out, &["http://127.0.0.1:9/v1", "user name or a password"]);
        assert!(!format!("{ran:?}").contains(SECRET), "{ran:?}");
    }
}

#[test]
fn a_model_of_the_environment_goes_to_no_provider_that_was_named_without_it() {
    for (variable, provider, asked) in [
        ("openai/gpt-4.1", "anthropic", "claude-sonnet-5-5"),
        ("gpt-4.1", "anthropic", "claude-sonnet-5-5"),
        ("anthropic/claude-opus-4-1", "anthropic", "claude-opus-4-1"),
    ] {
        let server = any();
        let (_place, mut command) = asks(&server, &["--provider", provider]);
        command.env("ANTHROPIC_API_KEY", KEY).env("THROUGHLINE_MODEL", variable);
        let ran = run(&mut command);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(server.received()[0].body["model"], asked, "{variable}");
    }
    // Without a provider it is the model.
    let server = any();
    let (_place, mut command) = asks(&server, &[]);
    command
        .env("ANTHROPIC_API_KEY", KEY)
        .env("OPENAI_API_KEY", KEY)
        .env("THROUGHLINE_MODEL", "openai/gpt-4.1");
    assert_eq!(run(&mut command).code, Some(0));
    assert_eq!(server.received()[0].body["model"], "gpt-4.1");
}

#[test]
fn an_empty_variable_is_no_key() {
    let server = any();
    let (_place, mut command) = asks(&server, &[]);
    let ran = run(command.env("ANTHROPIC_API_KEY", " ").env("OPENAI_API_KEY", KEY));
    assert!(ran.code == Some(0) && !ran.err.contains("ANTHROPIC_API_KEY"), "{ran:?}");
    let printed: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(printed["provider"], "openai");

    let (_place, mut command) = asks(&server, &[]);
    let ran = run(command.env("ANTHROPIC_API_KEY", "").env("OPENAI_API_KEY", ""));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_says(
        &ran.err,
        &["no model is configured", "ANTHROPIC_API_KEY and OPENAI_API_KEY are set, but to nothing"],
    );
    // A user who names the provider wants its key.
    let (_place, mut command) = asks(&server, &["--provider", "anthropic"]);
    let ran = run(command.env("ANTHROPIC_API_KEY", ""));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_says(&ran.err, &["ANTHROPIC_API_KEY", "is empty"]);
}

#[test]
fn a_model_is_fetched_by_ollama() {
    let server = serve(Script::new().model("qwen3:8b", 40_960));
    let place = Place::new();
    let pull = |name: &str| run(place.bare(&["models", "pull", name]).env("OLLAMA_HOST", server.url()));
    for name in ["qwen3:8b", "ollama/qwen3:8b"] {
        let ran = pull(name);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.out, "qwen3:8b is ready: throughline --provider ollama --model qwen3:8b\n");
        let steps: Vec<&str> = ran.err.lines().collect();
        assert_eq!(steps.first(), Some(&"pulling manifest"), "{ran:?}");
        assert_eq!(steps.last(), Some(&"success"), "{ran:?}");
        assert_eq!(
            steps.iter().filter(|step| step.starts_with("pulling ")).count(),
            2,
            "one line a step: {ran:?}"
        );
    }
    let ran = pull("nothing");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
    assert_says(&ran.err, &["ollama has no model \"nothing\""]);
    let ran = run(&mut place.bare(&["models", "pull", "qwen3:8b", "--base-url", "http://127.0.0.1:9"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_says(&ran.err, &["127.0.0.1:9", "is `ollama serve` running"]);
}

#[test]
fn a_short_name_means_the_newest_model_of_its_provider() {
    for (name, model) in [
        ("sonnet", "claude-sonnet-5-5"),
        ("opus", "claude-opus-5-5"),
        ("anthropic/haiku", "claude-haiku-5-5"),
        ("gpt", "gpt-6-sol"),
    ] {
        let server = any();
        let (_place, mut command) = asks(&server, &["--model", name]);
        let ran = run(command.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(server.received()[0].body["model"], model);
    }
    // A server of the user's own has names of its own.
    let server = any();
    let url = server.url();
    let (_place, mut command) = asks(&server, &["--base-url", &url, "--model", "sonnet"]);
    assert_eq!(run(&mut command).code, Some(0));
    assert_eq!(server.prompted()[0].body["model"], "sonnet");
}

#[test]
fn a_thinking_budget_where_none_is_taken_is_an_error() {
    let server = any();
    for model in ["openai/gpt-4.1", "anthropic/claude-3-5-haiku"] {
        let (_place, mut command) = asks(&server, &["--model", model, "--thinking", "2000"]);
        let ran = run(command.env("ANTHROPIC_API_KEY", KEY).env("OPENAI_API_KEY", KEY));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert_says(&ran.err, &["takes no thinking budget", "--thinking"]);
    }
    assert!(server.received().is_empty());
}

#[test]
fn an_address_of_this_machine_where_nothing_listens_fails_within_seconds() {
    let place = Place::new();
    let started = Instant::now();
    let ran =
        run(&mut place.bare(&["run", "--base-url", "http://127.0.0.1:9/v1", "--model", "house", "Go."]));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert_ne!(ran.code, Some(0), "{ran:?}");
    let lines: Vec<&str> = ran.err.lines().filter(|line| line.contains("trying again")).collect();
    assert_eq!(lines.len(), 2, "{ran:?}");
    assert_says(lines[0], &["no server listens at 127.0.0.1:9"]);
    assert!(lines[1].starts_with("still failing; trying again in "), "{ran:?}");
}

#[test]
fn what_replaces_a_key_and_what_is_no_setting_is_said_once() {
    let server = any();
    let (_place, mut command) = asks(&server, &["--provider", "anthropic", "--header", "X-Api-Key: another"]);
    command.env("ANTHROPIC_API_KEY", KEY).env("THROUGHLINE_FOO_BAR", "1");
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(&ran.err, &["the header x-api-key replaces the API key"]);
    let says = "in the environment, THROUGHLINE_FOO_BAR is no setting and has no effect";
    assert_eq!(ran.err.matches(says).count(), 1, "{ran:?}");
    assert!(!headers(&server).contains(KEY) && headers(&server).contains("another"), "{ran:?}");
}

#[test]
fn a_fork_says_what_it_is_and_has_a_title_of_its_own() {
    let server = any();
    let (place, mut command) = asks(&server, &["--provider", "anthropic"]);
    let first = run(command.env("ANTHROPIC_API_KEY", KEY)).json();
    let id = first["session"].as_str().unwrap();
    let mut fork = place.asks(&server, ("anthropic", "claude-sonnet-4-5"), &["-c", "--fork", "More."]);
    let ran = run(&mut fork);
    assert_says(
        &ran.err,
        &[&format!("a copy of {id}, which stays unchanged"), "its title is \"Go. (fork)\""],
    );
    let listed = run(&mut place.bare(&["sessions"])).done();
    assert_says(&listed, &["  Go.\n", "  Go. (fork)\n"]);
}
