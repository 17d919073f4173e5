//! The common part of OpenAI's two APIs: addresses and the models that a server has.

pub(crate) mod endpoint;

pub use endpoint::{served_models, served_window};
