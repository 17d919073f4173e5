//! Where the money of recorded sessions went, in dollars of the models that they were recorded with, and what policies
//! would have cost.
//!
//! [`audit`] reads a session: recorded usage is taken unchanged, what a recording lacks is estimated with the counter and
//! said to be an estimate. A [`Simulation`] runs every policy over the session by `replay`. An [`AuditReport`] sums both, and
//! [`text`], [`html`] and [`csv`] write it.
//!
//! A [`Replayer`] runs one policy over recordings, request by request, into stored sessions, and [`replay_text`] writes what came of it.
//!
//! Neighbours: `replay` reads recordings and runs the engine on them; `policies` has the policies. This crate knows no table
//! of models: prices come in through [`AuditOptions`].

mod advice;
mod call_name;
mod causes;
mod compactions;
mod counted_answers;
mod csv;
mod front;
mod html;
mod items;
mod mergeable;
mod money;
mod options;
mod policies;
mod price;
mod reads;
mod replay_text;
mod replayed;
mod request;
mod session;
mod shares;
mod shown_file;
mod simulate;
mod table;
mod tools;
mod totals;

pub use advice::{Advice, AdviceKind};
pub use call_name::call_name;
pub use causes::{Causes, Spent};
pub use compactions::AuditedCompaction;
pub use counted_answers::CountedAnswers;
pub use csv::csv;
pub use html::html;
pub use items::{AuditedItem, ItemKind};
pub use mergeable::MergeableSteps;
pub use options::AuditOptions;
pub use policies::{Baseline, PolicyCost, PolicyKind, SimulatedSession};
pub use price::ModelPrice;
pub use reads::RepeatedRead;
pub use replay_text::replay_text;
pub use replayed::{ReplayChoice, Replayed, Replayer};
pub use request::AuditedRequest;
pub use session::{AvoidableCost, SessionAudit, audit};
pub use simulate::{Simulation, SimulationError, usual_window};
pub use table::text;
pub use throughline_policies::{Economy, Estimator, SummaryStyle};
pub use throughline_replay::{Format, PeerReport, RecordedSession, SessionPart, SessionReport, TokenScale};
pub use tools::ToolCost;
pub use totals::{AuditReport, AuditTotals};

#[cfg(test)]
mod tests;
