//! Validates replayed requests in both providers' wire formats, by validators that share no code with the engine, and takes
//! a digest of the bodies.

use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use throughline_completion::CompletionRequest;
use throughline_replay::WireCheck;
use throughline_text::hexadecimal;
use throughline_wire::openai::OpenAiOptions;
use throughline_wire::{anthropic, openai_chat, validate};

/// Translates a request for Anthropic and for OpenAI and checks both bodies.
#[derive(Debug, Default)]
pub(super) struct BothWires {
    /// Digest of all bodies so far, in the order in which they were sent.
    digest: Mutex<Sha256>,
}

impl BothWires {
    /// SHA-256 of the bodies of all requests that were checked, as hexadecimal digits.
    pub(super) fn digest(&self) -> String {
        let digest = self.digest.lock().unwrap_or_else(PoisonError::into_inner);
        hexadecimal(&digest.clone().finalize())
    }
}

impl WireCheck for BothWires {
    fn check(&self, request: &CompletionRequest) -> Vec<String> {
        let bodies = [anthropic::encode(request), openai_chat::encode(request, OpenAiOptions::openai())];
        let mut digest = self.digest.lock().unwrap_or_else(PoisonError::into_inner);
        for body in &bodies {
            digest.update(body.to_string());
        }
        let [anthropic, openai] = bodies;
        let text = |wire: &str, fault: &validate::WireFault| format!("{wire}: {fault}");
        let faults = validate::anthropic(&anthropic).into_iter().map(|fault| text("anthropic", &fault));
        let more = validate::openai_chat(&openai).into_iter().map(|fault| text("openai", &fault));
        faults.chain(more).collect()
    }
}
