//! What stands in the place of the input: a picker, or a question about a call.

mod approvals;
mod picker;

pub(crate) use approvals::{Approvals, KeyOutcome};
pub(crate) use picker::OpenPicker;
