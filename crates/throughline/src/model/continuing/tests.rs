//! Choices of continued sessions.

use super::*;
use crate::model::Provider;

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
