//! Model providers: their wire formats, and validators for those.
//!
//! [`anthropic::encode`] and [`openai::encode_chat`] turn the neutral request of `completion` into the body of a
//! provider's HTTP request. They are plain functions: equal requests give equal bytes, and the body of a longer
//! transcript extends the body of a shorter one, so that the provider's prompt cache stays warm.
//!
//! [`validate`] says which rules of a provider a body breaks, in the provider's own words. It reads bare JSON and
//! shares no code with the encoders, so it can judge the requests of any other program too.
//!
//! This crate does not know who decides what is in a request, where markers are worth their price, or what a
//! session is beyond its name.

pub mod anthropic;
pub mod openai;
pub mod validate;
mod wire_name;
mod wire_schema;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod samples;
