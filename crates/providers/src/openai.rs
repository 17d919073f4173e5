//! The common part of OpenAI's two APIs: addresses and the models that a server has.

pub(crate) mod endpoint;
mod served_window;

pub use endpoint::served_models;
pub use served_window::{ServedWindow, served_window};
