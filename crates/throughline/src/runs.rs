//! Work in a session without a screen: what `throughline run` does in a terminal, `throughline serve` over
//! HTTP and `throughline acp` for an editor.
//!
//! [`RunModels`] connects the models, [`open_run`] opens the session, [`OpenRun::turn`] works, and [`OpenRun::close`] gives the
//! result. The objects that programs read are made here alone.

mod ending;
mod event_object;
mod models;
mod result;
mod session;
mod tally;
mod user;

pub use ending::RunEnding;
pub use event_object::event_object;
pub use models::{RunModels, RunOptions, RunSources};
pub use result::RunResult;
pub use session::{ClosedRun, OpenRun, RunOpening, open_run};
pub use tally::RunTally;
pub use user::RunUser;
