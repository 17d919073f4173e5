//! Bodies of both kinds are those of the encoders, and valid.

use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};
use serde_json::{Value, json};
use throughline_completion::CompletionRequest;

use super::WireRequest as _;
use crate::gemini::GeminiOptions;
use crate::openai::OpenAiOptions;
use crate::tests::samples::any_request;
use crate::validate::{self, WireFault};
use crate::wire::Wire;
use crate::{anthropic, gemini, ollama, openai_chat, openai_responses};

/// What the encoder makes of the request with its defaults, and the rules that a body breaks.
fn encoded(wire: Wire, request: &CompletionRequest) -> (Value, fn(&Value) -> Vec<WireFault>) {
    match wire {
        Wire::Anthropic => (anthropic::encode(request), validate::anthropic),
        Wire::OpenAiChat => (openai_chat::encode(request, OpenAiOptions::openai()), validate::openai_chat),
        Wire::OpenAiResponses => {
            (openai_responses::encode(request, OpenAiOptions::openai()), validate::openai_responses)
        }
        Wire::Gemini => {
            (gemini::encode(request, &GeminiOptions::default()), |body| validate::gemini("m", body))
        }
        Wire::Ollama => (ollama::encode(request, 32_768), validate::ollama),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn a_body_is_that_of_the_encoder_and_valid(request in any_request()) {
        for wire in [Wire::Anthropic, Wire::OpenAiChat, Wire::OpenAiResponses, Wire::Gemini, Wire::Ollama] {
            let (encoded, faults) = encoded(wire, &request);
            let streamed = request.stream_body(wire);
            prop_assert_eq!(streamed.to_string(), encoded.to_string());
            let mut whole = request.body(wire);
            prop_assert_eq!(faults(&streamed), vec![]);
            prop_assert_eq!(faults(&whole), vec![]);
            // They differ in the fields about the stream alone.
            let mut streamed = streamed;
            for body in [&mut streamed, &mut whole] {
                let fields = body.as_object_mut().unwrap();
                let stream = fields.shift_remove("stream");
                prop_assert_eq!(stream.is_none(), wire == Wire::Gemini);
                fields.shift_remove("stream_options");
            }
            prop_assert_eq!(streamed.to_string(), whole.to_string());
        }
    }
}

#[test]
fn a_whole_answer_is_asked_for() {
    let request = throughline_testkit::request(throughline_testkit::parse("user: hi"));
    for wire in [Wire::Anthropic, Wire::OpenAiChat, Wire::OpenAiResponses, Wire::Ollama] {
        assert_eq!(request.body(wire)["stream"], json!(false), "{wire}");
        assert_eq!(request.stream_body(wire)["stream"], json!(true), "{wire}");
    }
    assert_eq!(request.body(Wire::OpenAiChat).get("stream_options"), None);
}

#[test]
fn the_name_of_a_gemini_model_says_whether_its_calls_are_signed() {
    let messages = throughline_testkit::parse("user: a\nassistant: b\n  -> c1 read\nresults:\n  c1 = x");
    let signed = |model: &str| {
        let request =
            CompletionRequest { model: model.to_owned(), ..throughline_testkit::request(messages.clone()) };
        request.body(Wire::Gemini).to_string().contains("thoughtSignature")
    };
    assert!(signed("gemini-3-pro"));
    assert!(!signed("gemini-2.5-pro"));
}
