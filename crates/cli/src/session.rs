//! A session that is worked on, by `run` or behind the screen: which one it is, what it is composed of, and the lock that
//! makes it this process's alone.

pub(crate) mod args;
mod earlier;
mod enter;
mod open;
mod project_folders;
mod refusal;
mod servers;
mod tools;
mod which;

pub(crate) use open::{Opened, Opening, TITLE, open};
pub(crate) use refusal::{refusal, refusal_of_run};
pub(crate) use servers::Servers;
pub(crate) use tools::{SANDBOX_MODE, is_sandboxed, unlimited, writable};
pub(crate) use which::{Start, Which, choose, matching};
