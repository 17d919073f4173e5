//! `throughline models --json`: which services answer, and which do not.

use std::process::Command;

use serde_json::{Value, json};
use throughline_testserver::{Script, Server};

use super::home::{Home, Ran, UNREACHABLE};
use super::service::KEY;

/// `throughline models --json` with all services at one address.
fn command(home: &Home, url: &str) -> Command {
    let mut command = home.throughline();
    command.args(["models", "--json"]).env("OLLAMA_HOST", url);
    command.env("ANTHROPIC_BASE_URL", url).env("ANTHROPIC_API_KEY", KEY);
    command.env("OPENAI_BASE_URL", format!("{url}/v1")).env("OPENAI_API_KEY", KEY);
    command
}

fn of<'a>(printed: &'a Value, provider: &str) -> &'a Value {
    let providers = printed["providers"].as_array().unwrap();
    providers.iter().find(|found| found["provider"] == provider).unwrap()
}

fn printed(command: &mut Command) -> Value {
    let ran = Ran::of(command).ended(0);
    assert!(!ran.all().contains(KEY), "{ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn services_that_answer_name_their_models() {
    let script = Script::new().key(KEY).model("claude-sonnet-4-5", 200_000).model("qwen3:8b", 40_960);
    let server = Server::start_at(script, 0).unwrap();
    let printed = printed(&mut command(&Home::new(), &server.url()));
    for (provider, key) in [("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY"), ("ollama", "-")]
    {
        let found = of(&printed, provider);
        assert_eq!(
            (&found["reachable"], &found["error"], &found["key"]),
            (&json!(true), &Value::Null, &json!(key))
        );
        let names: Vec<_> = found["models"].as_array().unwrap().iter().map(|model| &model["model"]).collect();
        assert_eq!(names, ["claude-sonnet-4-5", "qwen3:8b"], "{found}");
    }
    assert_eq!(
        (&printed["used"]["provider"], &printed["used"]["model"]),
        (&json!("anthropic"), &json!("claude-sonnet-5-5"))
    );
    assert_eq!(printed["why_none"], Value::Null);
}

#[test]
fn unreachable_services_are_listed_with_the_reason() {
    let printed = printed(&mut command(&Home::new(), UNREACHABLE));
    for provider in ["anthropic", "openai", "ollama"] {
        let found = of(&printed, provider);
        assert_eq!((&found["reachable"], &found["models"]), (&json!(false), &json!([])), "{found}");
        assert!(found["error"].as_str().is_some_and(|error| error.contains("127.0.0.1")), "{found}");
    }
}

#[test]
fn without_any_service_it_says_why_there_is_no_model() {
    let printed = printed(Home::new().throughline().args(["models", "--json"]));
    assert_eq!(printed["used"], Value::Null);
    assert_eq!(printed["why_none"], "no model is configured");
    for provider in ["anthropic", "openai"] {
        assert!(
            of(&printed, provider)["error"].as_str().is_some_and(|error| error.contains("needs a key")),
            "{printed}"
        );
    }
}
