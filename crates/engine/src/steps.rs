//! The steps that need neither the model nor the tools, one file each. Each takes the stage that the previous one returned.

mod s1_build_prompt;
mod s2_measure;
mod s3_force_compact;
mod s4_compact;
mod s5_select_tools;
mod s6_build_request;
mod s7_record_answer;
mod s8_settle_calls;
mod s9_persist;

pub(crate) use s1_build_prompt::{build_prompt, renew_prompt};
pub(crate) use s2_measure::{Measured, measure};
pub(crate) use s3_force_compact::{Unblocked, force_compact};
pub(crate) use s4_compact::compact;
pub(crate) use s5_select_tools::select_tools;
pub(crate) use s6_build_request::{Built, Ready, build_request};
pub(crate) use s7_record_answer::record_answer;
pub(crate) use s8_settle_calls::{
    answer_due, due_calls, report_begun, settle_call, shown_output, sort_calls,
};
pub(crate) use s9_persist::{persist, record_results};
