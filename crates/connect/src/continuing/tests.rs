//! Choices of continued sessions.

use super::*;
use crate::choice::Provider;

#[test]
fn another_model_of_the_same_server_uses_its_address() {
    let own = ModelChoice { base_url: Some("http://127.0.0.1:1/v1".to_owned()), ..ModelChoice::named("a") };
    let next = own.with_model("compatible/b");
    assert_eq!((next.base_url, next.model.as_deref()), (own.base_url, Some("compatible/b")));
}

#[test]
fn the_model_of_another_provider_gets_no_address_of_this_one() {
    let base_url = Some("http://127.0.0.1:1".to_owned());
    let own = ModelChoice { provider: Some(Provider::Anthropic), base_url, ..ModelChoice::default() };
    let next = own.with_model("openai/gpt-5");
    assert_eq!((next.base_url, next.model.as_deref()), (None, Some("openai/gpt-5")));
}

#[test]
fn a_provider_alone_names_no_other_model() {
    let recorded = Origin::new("anthropic", "claude-haiku-4-5");
    let named = |provider| ModelChoice { provider: Some(provider), ..ModelChoice::default() };
    assert!(!named(Provider::Anthropic).names_another(&recorded));
    assert!(named(Provider::Openai).names_another(&recorded));
    assert!(ModelChoice::named("claude-haiku-4-5").names_another(&recorded));
    // An address alone is that of a server with OpenAI's chat API.
    let address =
        ModelChoice { base_url: Some("http://127.0.0.1:1/v1".to_owned()), ..ModelChoice::default() };
    assert!(address.names_another(&recorded));
    assert!(!address.names_another(&Origin::new("compatible", "x")));
}

#[test]
fn the_server_of_a_session_is_named_again() {
    let choice = ModelChoice {
        provider: Some(Provider::Anthropic),
        base_url: Some("http://127.0.0.1:1/my path".to_owned()),
        key_file: Some("/keys/own".into()),
        headers: vec!["authorization: secret".to_owned()],
        ..ModelChoice::default()
    };
    let session = Origin::new("anthropic", "claude-haiku-4-5");
    assert_eq!(
        choice.server_options(&session),
        " --provider anthropic --base-url 'http://127.0.0.1:1/my path' --key-file /keys/own"
    );
    // The session has been switched to another provider.
    assert_eq!(choice.server_options(&Origin::new("openai", "gpt-5")), "");
    assert_eq!(ModelChoice::named("anthropic/x").server_options(&session), "");
}
