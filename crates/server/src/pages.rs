//! The pages of the inspector. They are made here, escape every text, and have no script but one file.

mod agents;
mod assets;
mod chart;
mod checkpoints;
mod compaction;
mod contexts;
mod conversation;
mod conversation_calls;
mod cost;
mod documents;
mod figures;
mod layout;
mod listed;
mod marked;
mod memos;
mod overview;
mod piece;
mod preferences;
mod record;
mod report;
mod report_requests;
mod request;
mod request_diff;
mod requests;
mod results;
mod search;
mod session;
mod session_filters;
mod session_table;
mod sessions;
mod spoken;
mod summaries;
mod text;
mod transcript_cost;
mod transcript_frame;
mod transcript_report;
mod transcripts;
mod turns;

pub(crate) use assets::{script, style};
pub(crate) use checkpoints::checkpoints;
pub(crate) use compaction::compaction;
pub(crate) use contexts::contexts;
pub(crate) use conversation::{PLACE, conversation};
pub(crate) use cost::cost;
pub(crate) use documents::documents;
pub(crate) use layout::{failure_page, refused_page};
pub(crate) use memos::memos;
pub(crate) use preferences::preferences;
pub(crate) use record::record;
pub use report::report_page;
pub(crate) use request::request;
pub(crate) use request_diff::request_diff;
pub(crate) use requests::requests;
pub(crate) use results::{result, results};
pub(crate) use search::search;
pub(crate) use session::session;
pub(crate) use sessions::{LISTED, sessions};
pub(crate) use summaries::summaries;
pub(crate) use transcript_cost::transcript_cost;
pub use transcript_report::report_transcript;
pub(crate) use transcripts::{
    transcript, transcript_compaction, transcript_conversation, transcript_record, transcript_request,
    transcript_requests,
};
pub(crate) use turns::turns;
