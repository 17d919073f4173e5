//! Parses numbers of turns, pins, rows and compactions. A bad one is an error, never "everything".

use throughline_conversation::{ExchangeId, Seq};
use throughline_groups::PinTarget;
use throughline_history::PARTS_PER_RECORD;

/// The number of turns that are listed: from 1 on.
pub(crate) fn parse_turns(text: &str) -> Result<u64, String> {
    whole(text, 1, "give the number of turns to list: a whole number from 1 on")
}

/// The number of sessions that are read: from 1 on.
pub fn parse_sessions(text: &str) -> Result<u64, String> {
    whole(text, 1, "give the number of sessions: a whole number from 1 on")
}

/// The number of a turn: from 1 on.
pub(crate) fn parse_turn(text: &str) -> Result<ExchangeId, String> {
    let means = "turns are numbered from 1 on, as `throughline messages list` shows them";
    whole(text, 1, means).map(ExchangeId)
}

/// The number of a turn, or the id of a part of a message as `messages show` prints it.
pub(crate) fn parse_pinned(text: &str) -> Result<PinTarget, String> {
    let means = "give the number of a turn, from 1 on, or the id of a message, as `throughline messages show` prints it";
    let number = whole(text, 1, means)?;
    let parts = PARTS_PER_RECORD.unsigned_abs();
    Ok(match number / parts {
        0 => PinTarget::Group(ExchangeId(number)),
        seq => PinTarget::Part(Seq(seq), usize::try_from(number % parts).unwrap_or(usize::MAX)),
    })
}

/// The number of a pin: from 1 on.
pub(crate) fn parse_pin(text: &str) -> Result<u32, String> {
    let means = "pins are numbered from 1 on, as `throughline pins` shows them";
    let number = whole(text, 1, means)?;
    u32::try_from(number).map_err(|_| format!("{text:?} is too large; {means}"))
}

/// The number of newest turns to show; 0 means all.
pub(crate) fn parse_window(text: &str) -> Result<u32, String> {
    let means = "give the number of newest turns to show: a whole number from 1 to 4294967295, or 0 for all";
    let number = whole(text, 0, means)?;
    u32::try_from(number).map_err(|_| format!("{text:?} is too large; {means}"))
}

/// The number of a compaction: from 1 on.
pub(crate) fn parse_compaction(text: &str) -> Result<u64, String> {
    whole(text, 1, "compactions are counted from 1, the oldest")
}

/// The number of a checkpoint: from 1 on.
pub(crate) fn parse_checkpoint(text: &str) -> Result<u64, String> {
    whole(text, 1, "checkpoints are counted from 1, the oldest")
}

/// The number of a rule, as `/permissions` lists it: from 1 on.
pub(crate) fn parse_rule(text: &str) -> Result<u64, String> {
    whole(text, 1, "give the number of a rule, as /permissions lists it")
}

/// The number of a sub-agent in the background.
pub(crate) fn parse_agent(text: &str) -> Result<u64, String> {
    whole(text, 1, "give the number of a sub-agent, as /agents lists it")
}

/// The number of a background job.
pub(crate) fn parse_job(text: &str) -> Result<u64, String> {
    whole(text, 1, "give the number of a job, as /jobs lists it")
}

fn whole(text: &str, least: u64, means: &str) -> Result<u64, String> {
    // `+5` and `５` are numbers to some parsers; here a number is digits.
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.filter(|number| *number >= least).ok_or_else(|| format!("{text:?} does not fit; {means}"))
}

#[cfg(test)]
mod tests;
