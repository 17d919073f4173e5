//! Laws that hold for every provider, and what their tests share.

pub(crate) mod example;
mod laws;
pub(crate) mod samples;
mod stream_laws;
pub(crate) mod stream_samples;
mod web_search;
