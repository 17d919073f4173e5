//! The pages of the inspector. They are made here, escape every text, and have no script but one file.

mod assets;
mod chart;
mod compaction;
mod documents;
mod layout;
mod report;
mod report_requests;
mod request;
mod request_diff;
mod search;
mod session;
mod sessions;
mod text;
mod turns;

pub(crate) use assets::{script, style};
pub(crate) use compaction::compaction;
pub(crate) use documents::documents;
pub use report::report_page;
pub(crate) use request::request;
pub(crate) use request_diff::request_diff;
pub(crate) use search::search;
pub(crate) use session::session;
pub(crate) use sessions::sessions;
pub(crate) use turns::turns;
