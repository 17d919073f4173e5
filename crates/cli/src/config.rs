//! `throughline config` and `throughline trust`.

pub(crate) mod args;
mod change;
mod get;
mod key;
mod show;
mod trust;

pub(crate) use show::run as run_config;
pub(crate) use trust::run as run_trust;
