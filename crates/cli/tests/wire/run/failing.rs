//! Services that do not answer as they should.

use serde_json::json;
use throughline_testserver::Answer;

use super::home::{Home, Ran, UNREACHABLE};
use super::service::{KEY, Service};
use crate::for_each_service;

for_each_service!(
    a_wrong_key,
    unreachable_service,
    a_page_of_a_proxy,
    a_login_page,
    a_stream_that_is_cut,
    a_stream_that_is_cut_is_asked_for_again,
);

const ASKED: &str = "Are you there?";

/// Ends with this code, the reason, and how to continue. Then it does continue.
fn check(service: Service, answers: impl IntoIterator<Item = Answer>, code: i32, says: &[&str]) {
    let home = Home::new();
    let server = service.server(answers);
    let ran = Ran::of(service.run(&home, &server.url(), KEY).arg(ASKED)).ended(code);
    assert_eq!(ran.out, "", "{ran:?}");
    for part in says.iter().chain(&["--resume run-"]) {
        assert!(ran.err.contains(part), "{part:?} is missing: {}", ran.err);
    }
    server.push(Answer::text("Here I am."));
    let ran = Ran::of(service.run(&home, &server.url(), KEY).arg("--continue")).ended(0);
    assert_eq!(ran.out, "Here I am.\n");
}

fn a_wrong_key(service: Service) {
    const WRONG: &str = "sk-run-4712-fedcba";
    let home = Home::new();
    let server = service.server([Answer::text("Never said.")]);
    if !service.is_keyed() {
        // It takes none, so those of others stay away from it.
        let mut command = service.run(&home, &server.url(), KEY);
        command.env("ANTHROPIC_API_KEY", WRONG).env("OPENAI_API_KEY", WRONG).arg(ASKED);
        Ran::of(&mut command).ended(0);
        let sent = server.received().into_iter().flat_map(|request| request.headers);
        assert_eq!(sent.filter(|(_, value)| value.contains(WRONG)).count(), 0);
        return;
    }
    for output in ["text", "json", "stream-json"] {
        let ran =
            Ran::of(service.run(&home, &server.url(), WRONG).args(["--output", output, ASKED])).ended(3);
        for part in [WRONG, KEY, "4712"] {
            assert!(!ran.all().contains(part), "{part}: {ran:?}");
        }
        if output == "json" {
            assert_eq!(ran.object()["outcome"], "unauthorized");
        }
    }
    assert!(!home.keeps(WRONG));
    assert_eq!(server.prompted().len(), 3, "a key does not become right");
}

fn unreachable_service(service: Service) {
    let home = Home::new();
    let ran = Ran::of(service.run(&home, UNREACHABLE, KEY).args(["--output", "json", ASKED]));
    if service == Service::Ollama {
        // It is asked for its models before there is a session.
        let ran = ran.ended(4);
        assert!(ran.err.contains("is `ollama serve` running"), "{ran:?}");
        assert_eq!((&ran.object()["outcome"], &ran.object()["session"]), (&json!("try_later"), &json!(null)));
        return;
    }
    let printed = ran.ended(4).object();
    assert_eq!(printed["outcome"], "try_later");
    let error = printed["error"].as_str().unwrap();
    assert!(error.contains("no server listens at 127.0.0.1"), "{error}");
}

fn a_page_of_a_proxy(service: Service) {
    let page = "<html><title>502 Bad Gateway</title></html>";
    check(service, [Answer::html(502, page)], 4, &["502", "Bad Gateway"]);
}

fn a_login_page(service: Service) {
    let page = "<html><title>Sign in</title></html>";
    check(service, [Answer::html(200, page)], 1, &["an HTML page", "base URL"]);
}

const LONG: &str =
    "A long answer, of which a part is never sent, since the connection is gone before its end.";

fn a_stream_that_is_cut(service: Service) {
    check(service, [Answer::text(LONG).cut_after(8)], 4, &["the answer broke off"]);
}

fn a_stream_that_is_cut_is_asked_for_again(service: Service) {
    let home = Home::new();
    let server = service.server([Answer::text(LONG).cut_after(8), Answer::text("All of it.")]);
    let mut command = service.run(&home, &server.url(), KEY);
    let ran = Ran::of(command.env("THROUGHLINE_MODEL_RETRIES", "1").arg(ASKED)).ended(0);
    assert_eq!(ran.out, "All of it.\n");
    for part in ["the answer so far is discarded", "trying again in"] {
        assert!(ran.err.contains(part), "{part:?} is missing: {}", ran.err);
    }
}

#[test]
fn without_a_provider_it_says_what_to_set() {
    let home = Home::new();
    let ran = Ran::of(home.throughline().args(["run", ASKED])).ended(3);
    assert_eq!(ran.out, "");
    for part in
        ["No model is configured.", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "ollama serve", "--base-url"]
    {
        assert!(ran.err.contains(part), "{part:?} is missing: {}", ran.err);
    }
    assert!(!home.path().join("data").exists(), "no session for a run that never was");
}

#[test]
fn a_key_in_the_environment_goes_to_no_address_that_was_named_alone() {
    let home = Home::new();
    let server = Service::Ollama.server([Answer::text("Hello.")]);
    let mut command = home.throughline();
    command.args(["run", "--base-url", &format!("{}/v1", server.url()), "--model", "qwen3:8b", ASKED]);
    let ran = Ran::of(command.env("OPENAI_API_KEY", KEY)).ended(0);
    assert_eq!(ran.out, "Hello.\n");
    assert_eq!(server.prompted()[0].header("authorization"), None);
    assert_eq!(server.prompted()[0].body["max_completion_tokens"], json!(null));
}
