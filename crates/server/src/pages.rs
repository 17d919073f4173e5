//! The pages of the inspector. They are made here, escape every text, and have no script but one file.

mod assets;
mod chart;
mod checkpoints;
mod compaction;
mod contexts;
mod documents;
mod layout;
mod memos;
mod preferences;
mod report;
mod report_requests;
mod request;
mod request_diff;
mod search;
mod session;
mod sessions;
mod summaries;
mod text;
mod turns;

pub(crate) use assets::{script, style};
pub(crate) use checkpoints::checkpoints;
pub(crate) use compaction::compaction;
pub(crate) use contexts::contexts;
pub(crate) use documents::documents;
pub(crate) use memos::memos;
pub(crate) use preferences::preferences;
pub use report::report_page;
pub(crate) use request::request;
pub(crate) use request_diff::request_diff;
pub(crate) use search::search;
pub(crate) use session::session;
pub(crate) use sessions::sessions;
pub(crate) use summaries::summaries;
pub(crate) use turns::turns;
