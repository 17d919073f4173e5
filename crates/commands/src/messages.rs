//! `throughline messages`: the turns of a session, and the messages of one.

pub(crate) mod args;
mod list;
mod show;

pub(crate) use list::list;
pub(crate) use show::show;
