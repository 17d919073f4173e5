//! `throughline messages`: the groups of a session, and all that is in one.

pub(crate) mod args;
mod list;
mod show;

pub(crate) use list::list;
pub(crate) use show::show;
