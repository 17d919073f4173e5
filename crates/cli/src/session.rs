//! Arguments of a session, and what is printed about one.

pub(crate) mod args;
mod mode;
mod model_args;
mod pages;
mod refusal;
mod which;

pub(crate) use model_args::ModelArgs;
pub(crate) use pages::{instructions_page, servers_page};
pub(crate) use refusal::{busy, refusal, refusal_of_run};
pub(crate) use which::{NOTHING_TO_FORK, Which, choose};
