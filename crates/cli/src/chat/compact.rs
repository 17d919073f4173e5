//! `/compact`: compacts now and says what that did.

use throughline_text::error_chain;
use throughline_tools::CancelFlag;

use super::aside::Aside;
use super::live::Live;
use super::screen::Screen;
use super::turn::{Ears, Later, attended};
use crate::compaction::compacted;
use crate::target::CommandTarget;

/// Compacts the session. It can be interrupted while the summary is written.
pub(super) async fn compact(
    live: &mut Live,
    instructions: Option<&str>,
    screen: &Screen,
    (target, ears, aside): (&CommandTarget, &mut Ears, &Aside),
) -> anyhow::Result<Later> {
    let cancel = CancelFlag::new();
    let work = live.agent.compact_with(instructions, screen, &cancel);
    let (done, later) = attended(work, ears, aside, &cancel).await;
    match done {
        Ok(result) => screen.page("", &compacted(target, &result).await?.text),
        Err(error) => screen.notice(format!("Nothing was compacted: {}.", error_chain(&error))),
    }
    Ok(later)
}
