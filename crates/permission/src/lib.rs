//! Which calls of a model may run: modes, rules, and the port that asks the user.

mod approval;

pub use approval::{Approval, ApprovalRequest, Approver};
