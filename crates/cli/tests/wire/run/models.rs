//! `throughline models --json`: which services answer, and which do not.

use std::process::Command;

use serde_json::{Value, json};
use throughline_testserver::{Script, Server};

use super::home::{Home, NOBODY, Ran};
use super::service::KEY;

/// `throughline models --json` with all services at one address.
fn command(home: &Home, url: &str) -> Command {
    let mut command = home.throughline();
    command.args(["models", "--json"]).env("OLLAMA_HOST", url);
    command.env("ANTHROPIC_BASE_URL", url).env("ANTHROPIC_API_KEY", KEY);
    command.env("OPENAI_BASE_URL", format!("{url}/v1")).env("OPENAI_API_KEY", KEY);
    command
}

fn of<'a>(told: &'a Value, provider: &str) -> &'a Value {
    let providers = told["providers"].as_array().unwrap();
    providers.iter().find(|found| found["provider"] == provider).unwrap()
}

fn told(command: &mut Command) -> Value {
    let ran = Ran::of(command).ended(0);
    assert!(!ran.all().contains(KEY), "{ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn services_that_answer_name_their_models() {
    let script = Script::new().key(KEY).model("claude-sonnet-4-5", 200_000).model("qwen3:8b", 40_960);
    let server = Server::start_at(script, 0).unwrap();
    let told = told(&mut command(&Home::new(), &server.url()));
    for (provider, key) in [("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY"), ("ollama", "-")]
    {
        let found = of(&told, provider);
        assert_eq!(
            (&found["reachable"], &found["error"], &found["key"]),
            (&json!(true), &Value::Null, &json!(key))
        );
        let names: Vec<_> = found["models"].as_array().unwrap().iter().map(|model| &model["model"]).collect();
        assert_eq!(names, ["claude-sonnet-4-5", "qwen3:8b"], "{found}");
    }
    assert_eq!(
        (&told["used"]["provider"], &told["used"]["model"]),
        (&json!("anthropic"), &json!("claude-sonnet-4-5"))
    );
    assert_eq!(told["why_none"], Value::Null);
}

#[test]
fn services_that_do_not_answer_are_told_with_the_reason() {
    let told = told(&mut command(&Home::new(), NOBODY));
    for provider in ["anthropic", "openai", "ollama"] {
        let found = of(&told, provider);
        assert_eq!((&found["reachable"], &found["models"]), (&json!(false), &json!([])), "{found}");
        assert!(found["error"].as_str().is_some_and(|error| error.contains("127.0.0.1")), "{found}");
    }
}

#[test]
fn without_any_service_it_says_why_there_is_no_model() {
    let told = told(Home::new().throughline().args(["models", "--json"]));
    assert_eq!(told["used"], Value::Null);
    assert_eq!(told["why_none"], "no model is configured");
    for provider in ["anthropic", "openai"] {
        assert!(
            of(&told, provider)["error"].as_str().is_some_and(|error| error.contains("needs a key")),
            "{told}"
        );
    }
}
