//! What a fallback is reached with.

use std::path::PathBuf;

use super::fallback_choice;
use crate::choice::{ModelChoice, Provider};

fn house(provider: Option<Provider>, model: &str) -> ModelChoice {
    ModelChoice {
        provider,
        model: Some(model.to_owned()),
        base_url: Some("http://house/v1".to_owned()),
        key_file: Some(PathBuf::from("key")),
        headers: vec!["x-key: k".to_owned()],
        window: Some(32_000),
        timeout: Some(7),
        ..ModelChoice::default()
    }
}

#[test]
fn another_model_of_the_same_provider_is_reached_in_the_same_way() {
    for (first, name) in [
        (house(Some(Provider::Compatible), "big"), "compatible/small"),
        (house(Some(Provider::Compatible), "big"), "small"),
        (house(Some(Provider::Compatible), "big"), "vendor/small"),
        (house(Some(Provider::Anthropic), "big"), "anthropic/small"),
    ] {
        let next = fallback_choice(&first, name);
        let expected = ModelChoice { model: Some(name.to_owned()), ..first };
        assert_eq!(format!("{next:?}"), format!("{expected:?}"));
    }
}

#[test]
fn the_provider_of_a_full_name_is_the_same_for_a_bare_name() {
    let first = ModelChoice { base_url: None, ..house(None, "openai/big") };
    let next = fallback_choice(&first, "small");
    assert_eq!((next.provider, next.key_file.is_some()), (Some(Provider::Openai), true));
}

#[test]
fn an_address_that_was_named_alone_stays_alone() {
    for (model, name) in [("big", "small"), ("big", "compatible/small"), ("openai/big", "small")] {
        let next = fallback_choice(&house(None, model), name);
        assert_eq!((next.provider, next.base_url.is_some()), (None, true), "{model} {name}");
    }
}

#[test]
fn another_provider_gets_neither_key_nor_address() {
    for first in [
        house(Some(Provider::Compatible), "big"),
        house(None, "big"),
        house(None, "openai/big"),
        house(Some(Provider::Openai), "anthropic/big"),
    ] {
        let next = fallback_choice(&first, "anthropic/small");
        let expected = ModelChoice {
            model: Some("anthropic/small".to_owned()),
            timeout: Some(7),
            ..ModelChoice::default()
        };
        assert_eq!(format!("{next:?}"), format!("{expected:?}"));
    }
}
