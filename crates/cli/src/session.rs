//! Arguments of a session.

pub(crate) mod args;
mod mode;
mod model_args;

pub(crate) use model_args::ModelArgs;
