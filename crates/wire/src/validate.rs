//! Which rules of a provider's API a request's body breaks.
//!
//! The validators read the JSON that goes over the wire and nothing else, so they judge the requests of any
//! program: put one behind a mock server, or run it over recorded requests. They report every fault, not only
//! the first, in the words of the API where these are known, and never panic, whatever the JSON.
//!
//! Which form of thinking a model of Anthropic takes is the caller's to say: see [`anthropic_with`].
//!
//! What a body alone cannot show is not checked: token limits, dimensions of pictures, whether a signature is
//! genuine. Rules that only some models have are not checked either.

pub(crate) mod body;
pub(crate) mod fault;

pub use crate::anthropic::validate::{anthropic, anthropic_with};
pub use crate::gemini::validate::gemini;
pub use crate::ollama::validate::{ollama, ollama_with};
pub use crate::openai_chat::validate::{openai_chat, openai_chat_with};
pub use crate::openai_responses::validate::openai_responses;
pub use fault::{Alternation, WireFault};

#[cfg(test)]
mod tests;
