//! Validates replayed requests in both providers' wire formats, by validators that share no code with the engine.

use throughline_completion::CompletionRequest;
use throughline_providers::openai::OpenAiOptions;
use throughline_providers::{anthropic, openai_chat, validate};
use throughline_replay::WireCheck;

/// Translates a request for Anthropic and for OpenAI and checks both bodies.
#[derive(Debug)]
pub(super) struct BothWires;

impl WireCheck for BothWires {
    fn check(&self, request: &CompletionRequest) -> Vec<String> {
        let anthropic = validate::anthropic(&anthropic::encode(request));
        let openai = validate::openai_chat(&openai_chat::encode(request, OpenAiOptions::openai()));
        let text = |wire: &str, fault: &validate::WireFault| format!("{wire}: {fault}");
        let first = anthropic.iter().map(|fault| text("anthropic", fault));
        first.chain(openai.iter().map(|fault| text("openai", fault))).collect()
    }
}
