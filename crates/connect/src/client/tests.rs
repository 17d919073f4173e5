//! What sends requests to Anthropic.

use throughline_providers::http::Endpoint;

use crate::choice::{ModelChoice, ModelTransport};

#[test]
fn the_transport_of_the_sdk_needs_its_feature() {
    let endpoint = Endpoint::new("http://127.0.0.1:9").unwrap();
    let sends = |transport| {
        let choice = ModelChoice { transport, ..ModelChoice::default() };
        match super::transport(&choice, &endpoint) {
            Ok(transport) => format!("{transport:?}"),
            Err(error) => error.to_string(),
        }
    };
    for http in [None, Some(ModelTransport::Http)] {
        assert!(sends(http).starts_with("ReqwestTransport"));
    }
    let sdk = sends(Some(ModelTransport::Sdk));
    if cfg!(feature = "anthropic-sdk") {
        assert!(sdk.starts_with("AnthropicSdkTransport"), "{sdk}");
    } else {
        assert!(sdk.contains("--features anthropic-sdk"), "{sdk}");
    }
}
