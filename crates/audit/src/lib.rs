//! Where the money of a recorded session went, in dollars of the models that it was recorded with.
//!
//! Recorded usage is taken unchanged; what a recording lacks is estimated with the counter and said to be an estimate.
//! Nothing is simulated here but the policies, whose figures come from [`crate::replay`] and [`crate::replay_peers`].

mod advice;
mod causes;
mod compactions;
mod items;
mod options;
mod policies;
mod price;
mod reads;
mod request;
mod session;
mod shares;
mod shown_file;
mod tools;
mod totals;

pub use advice::{Advice, AdviceKind};
pub use causes::{Causes, Spent};
pub use compactions::AuditedCompaction;
pub use items::{AuditedItem, ItemKind};
pub use options::AuditOptions;
pub use policies::{Baseline, PolicyCost, PolicyKind, SimulatedSession};
pub use price::ModelPrice;
pub use reads::RepeatedRead;
pub use request::AuditedRequest;
pub use session::{AvoidableCost, SessionAudit, audit, front_tokens};
pub use tools::ToolCost;
pub use totals::{AuditReport, AuditTotals};

#[cfg(test)]
mod tests;
