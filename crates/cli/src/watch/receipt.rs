//! What offloading has saved in a session, by what its agent has written down.

use std::path::Path;

use anyhow::Context as _;
use throughline_terminal::line;
use throughline_text::{counted, headline};
use throughline_watch::{
    AgentNotes, ForeignAgent, OffloadedResult, Offloads, RecordedSession, Replacement, agent_notes,
    replacements,
};

/// Maximum number of results that are named.
const SHOWN: usize = 8;

/// Maximum characters of a reason.
const WIDTH: usize = 160;

/// A session of an agent, as far as its receipt needs it.
pub(super) struct Receipt<'r> {
    pub(super) agent: ForeignAgent,
    /// What the agent has written down.
    pub(super) recorded: &'r RecordedSession,
    /// The transcript, if it is a file.
    pub(super) file: Option<&'r Path>,
}

impl Receipt<'_> {
    /// Prints how many results were offloaded, what that has saved, and which the agent has not taken.
    pub(super) fn print(&self, offloads: &Offloads) -> anyhow::Result<()> {
        let notes = match self.file.filter(|_| self.agent == ForeignAgent::Claude) {
            Some(file) => agent_notes(file).with_context(|| format!("cannot read {}", file.display()))?,
            None => AgentNotes::default(),
        };
        if !offloads.results.is_empty() {
            self.print_results(&offloads.results, &notes);
        }
        if let Some(last) = offloads.failures.last() {
            let reason = headline(&last.reason, WIDTH);
            line(&format!(
                "Results left whole because of failures: {}; the last one, of {}: {reason}",
                offloads.failed,
                headline(&last.tool, WIDTH)
            ));
        }
        Ok(())
    }

    fn print_results(&self, results: &[OffloadedResult], notes: &AgentNotes) {
        let asked = results.iter().map(|one| (one.call.as_str(), one.stored.as_str()));
        let fates = replacements(self.recorded, asked);
        let of = |fate: Replacement| {
            let pairs = results.iter().zip(&fates).filter(move |(_, own)| **own == fate);
            pairs.map(|(one, _)| one).collect::<Vec<_>>()
        };
        let (taken, refused) = (of(Replacement::Taken), of(Replacement::NotTaken));
        let unseen = of(Replacement::Unseen).len();
        line(&format!(
            "Results offloaded: {}; {} saved (estimated); not taken by the agent: {}",
            taken.len(),
            counted(taken.iter().map(|one| one.saved).sum(), "token"),
            refused.len()
        ));
        for one in refused.iter().take(SHOWN) {
            let reason =
                notes.refused.get(&one.call).map_or("the session has the result without it", String::as_str);
            let (tool, call) = (headline(&one.tool, WIDTH), headline(&one.call, WIDTH));
            line(&format!("  not taken, and not saved: {tool} {call}: {}", headline(reason, WIDTH)));
        }
        if unseen > 0 {
            line(&format!(
                "  not in the session, as those of subagents, or not yet, and not counted: {unseen}"
            ));
        }
        if notes.read_again > 0 {
            line(&format!(
                "  files that claude has read again from disk after a compaction: {}; it shows the originals, also of what a hook \
                 had replaced",
                notes.read_again
            ));
        }
    }
}
