//! Which model is asked, and where a key may go.

use throughline_settings::{Layer, Scope, resolve};

use super::completed;
use crate::choice::{ModelChoice, Provider};

/// Provider, model, address and number of headers.
fn asked(file: &str, model: &str, typed: &ModelChoice) -> (Option<Provider>, String, String, usize) {
    let file = Layer::from_toml(Scope::User, "config.toml", file).unwrap();
    let variable = Layer::from_environment([("THROUGHLINE_MODEL".to_owned(), model.to_owned())]).unwrap();
    let choice = completed(&resolve([file, variable], true).unwrap(), typed);
    (
        choice.provider,
        choice.model.unwrap_or_default(),
        choice.base_url.unwrap_or_default(),
        choice.headers.len(),
    )
}

const HOUSE: &str = "[model]\nprovider = \"compatible\"\nmodel = \"house\"\nbase_url = \"http://house/v1\"\n\
                     headers = { X-Key = \"k\" }\n";

#[test]
fn the_settings_say_what_the_command_line_does_not() {
    let usual = asked(HOUSE, "", &ModelChoice::default());
    assert_eq!(usual, (Some(Provider::Compatible), "house".to_owned(), "http://house/v1".to_owned(), 1));
    let typed = ModelChoice { model: Some("other".to_owned()), ..ModelChoice::default() };
    assert_eq!(asked(HOUSE, "", &typed).1, "other");
    assert_eq!(asked(HOUSE, "variable", &ModelChoice::default()).1, "variable");
}

#[test]
fn what_belongs_to_one_server_does_not_go_to_another() {
    let other = |typed: &ModelChoice| {
        let (provider, model, address, headers) = asked(HOUSE, "", typed);
        assert_eq!((address.contains("house"), headers), (false, 0), "{provider:?} {model}");
        (provider, model)
    };
    let named = |name: &str| ModelChoice { model: Some(name.to_owned()), ..ModelChoice::default() };
    assert_eq!(other(&named("openai/gpt-5")), (None, "openai/gpt-5".to_owned()));
    let provider = ModelChoice { provider: Some(Provider::Anthropic), ..ModelChoice::default() };
    assert_eq!(other(&provider), (Some(Provider::Anthropic), String::new()));
    let address = ModelChoice { base_url: Some("http://elsewhere".to_owned()), ..ModelChoice::default() };
    assert_eq!(other(&address), (None, String::new()));
    // A variable that names a provider's model takes it from its provider.
    let (provider, _, address, headers) = asked(HOUSE, "anthropic/claude", &ModelChoice::default());
    assert_eq!((provider, address.as_str(), headers), (None, "", 0));
}

#[test]
fn a_provider_that_is_typed_has_no_model_of_another_one() {
    let typed = |provider| ModelChoice { provider: Some(provider), ..ModelChoice::default() };
    let model = |file: &str, variable: &str, provider| asked(file, variable, &typed(provider)).1;
    // Neither of the variable, nor of the file.
    assert_eq!(model("", "openai/gpt-5", Provider::Anthropic), "");
    assert_eq!(model("", "gpt-5", Provider::Anthropic), "");
    assert_eq!(model(HOUSE, "", Provider::Ollama), "");
    // Its own, it has: by the name, or by the provider of the file.
    assert_eq!(model("", "openai/gpt-5", Provider::Openai), "openai/gpt-5");
    assert_eq!(model(HOUSE, "", Provider::Compatible), "house");
    // Address and headers are not typed with it, so they stay away.
    let (_, _, address, headers) = asked(HOUSE, "", &typed(Provider::Compatible));
    assert_eq!((address.as_str(), headers), ("", 0));
    // A server that is typed is another one.
    let elsewhere =
        ModelChoice { base_url: Some("http://elsewhere".to_owned()), ..typed(Provider::Compatible) };
    assert_eq!(asked(HOUSE, "", &elsewhere).1, "");
}
