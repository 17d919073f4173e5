//! Which models a provider serves.

#![expect(clippy::unwrap_used, reason = "a client that breaks the contract fails the test")]

use throughline_completion::ModelError;
use throughline_providers::http::{Endpoint, Key, ReqwestTransport, Timeouts};
use throughline_providers::{anthropic, gemini, openai};
use throughline_testserver::{Answer, Script, Server};

async fn ask(api: &str, server: &Server, key: &str) -> Result<Vec<String>, ModelError> {
    let endpoint = Endpoint::new(&server.url()).unwrap().with_key(Key::new(key));
    let transport = ReqwestTransport::new(Timeouts::default());
    match api {
        "anthropic" => anthropic::served_models(&endpoint, &transport).await,
        "gemini" => gemini::served_models(&endpoint, &transport).await,
        _ => openai::served_models(&endpoint, &transport).await,
    }
}

#[tokio::test]
async fn models_are_listed_by_a_get_with_the_key() {
    for (api, path) in [("anthropic", "/v1/models"), ("gemini", "/v1beta/models"), ("openai", "/v1/models")] {
        let script = Script::new().key("sk-right-0001").model("big", 200_000).model("small", 8_000);
        let server = Server::start(script).await.unwrap();
        assert_eq!(ask(api, &server, "sk-right-0001").await.unwrap(), ["big", "small"], "{api}");
        let received = server.received();
        let asked = received[0].path.split('?').next().unwrap();
        assert_eq!((received[0].method.as_str(), asked), ("GET", path));
        assert!(received[0].body.is_null());

        let refused = ask(api, &server, "sk-wrong-0002").await.unwrap_err();
        assert!(matches!(refused, ModelError::Unauthorized { .. }), "{api}: {refused:?}");
        assert!(!format!("{refused:?} {refused}").contains("sk-wrong"), "{refused:?}");
    }
}

#[tokio::test]
async fn an_answer_that_is_no_list_of_models_is_an_error() {
    // A server that knows no such path.
    let server = Server::start(Script::new().then(Answer::text("x"))).await.unwrap();
    let endpoint = Endpoint::new(&format!("{}/elsewhere", server.url())).unwrap();
    let transport = ReqwestTransport::new(Timeouts::default());
    let error = openai::served_models(&endpoint, &transport).await.unwrap_err();
    assert!(matches!(error, ModelError::InvalidRequest { .. }), "{error:?}");

    let closed = Endpoint::new("http://127.0.0.1:9").unwrap();
    let error = anthropic::served_models(&closed, &transport).await.unwrap_err();
    assert!(error.to_string().contains("no server listens at 127.0.0.1:9"), "{error}");
}
