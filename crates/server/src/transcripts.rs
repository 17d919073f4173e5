//! The sessions of other agents as they lie in their files: listed, read and shown, never stored or changed.

mod convert;
mod diffs;
mod figures;
mod memory;
mod mirrors;
mod needed;
mod objects;
mod places;
mod plain_receipt;
mod prices;
mod read;
mod reader;
mod rests;
pub(crate) mod routes;
mod search;

pub(crate) use diffs::{opened_diff, part_diff};
pub(crate) use figures::TranscriptFigures;
pub(crate) use mirrors::Mirrors;
pub(crate) use objects::{TranscriptCompaction, TranscriptDetails, TranscriptObject};
pub use places::TranscriptPlace;
pub(crate) use read::{TranscriptPart, read_file};
pub(crate) use reader::{OpenedTranscript, SubTranscript, Transcripts, unknown_transcript};
pub(crate) use search::{TranscriptHit, TranscriptHits};
