//! `/compact`: at once, or after a preview whose summary can be edited.

use throughline_agent::{CompactError, CompactionProposal};
use throughline_commands::compaction::{
    AppliedCompaction, MadeCompaction, apply, make, not_compacted, preview, summary_prices,
};
use throughline_terminal::editor;
use throughline_tools::CancelFlag;
use throughline_tui::{Picker, PickerRow, Show, TurnState};

use super::background::NO_SESSION;
use super::commands::lend;
use super::driver::{Driver, Flow};
use super::turn::run_with_input;

/// The id of the picker of a preview.
pub(super) const COMPACT: &str = "compact";

/// The ids of its rows.
const APPLY: &str = "apply";
const EDIT: &str = "edit";

impl Driver {
    /// Compacts now and shows the result, or shows what a compaction would do and asks whether to apply it.
    pub(super) async fn compact(&mut self, instructions: &str, shown_first: bool) -> anyhow::Result<Flow> {
        let background = self.background();
        let setup = &self.setup;
        let Some(live) = &mut self.live else {
            setup.screen.notice(NO_SESSION);
            return Ok(Flow::Stay);
        };
        setup.screen.turn(TurnState::Compacting);
        let instructions = Some(instructions).filter(|text| !text.is_empty());
        let cancel = CancelFlag::new();
        let work = make(&mut live.session.agent, instructions, shown_first, &setup.screen, &cancel);
        let (made, pending) = run_with_input(work, &mut self.input, &background, &cancel).await;
        live.measure(&setup.screen);
        match made {
            Ok(MadeCompaction::Proposed(proposal)) => self.show_proposal(*proposal)?,
            Ok(MadeCompaction::Applied(applied)) => self.show_compacted(Ok(*applied), instructions),
            Err(error) => self.show_compacted(Err(error), instructions),
        }
        Ok(self.afterwards(pending))
    }

    /// Applies the previewed compaction, or has its summary edited and shows it again.
    pub(super) async fn proposal_picked(&mut self, row: &str) -> anyhow::Result<()> {
        let Some(live) = &mut self.live else { return Ok(()) };
        let Some(proposal) = live.proposal.take() else { return Ok(()) };
        if row == EDIT {
            let edited = self.edited(&proposal).await;
            // A text that does not fit leaves the proposal unchanged.
            let (proposal, error) = match edited {
                Ok(edited) => (edited, None),
                Err(error) => (proposal, Some(error)),
            };
            self.show_proposal(proposal)?;
            return error.map_or(Ok(()), Err);
        }
        let done = apply(&mut live.session.agent, proposal, &self.setup.screen).await;
        self.show_compacted(done, None);
        Ok(())
    }

    async fn edited(&self, proposal: &CompactionProposal) -> anyhow::Result<CompactionProposal> {
        let live = self.live.as_ref().ok_or_else(|| anyhow::anyhow!(NO_SESSION))?;
        let _terminal = lend(&self.setup.screen).await;
        let texts: Result<Vec<String>, _> = proposal.summaries().map(editor::edit).collect();
        Ok(live.session.agent.edit_proposal(proposal, texts?)?)
    }

    fn show_proposal(&mut self, proposal: CompactionProposal) -> anyhow::Result<()> {
        let Some(live) = &mut self.live else { return Ok(()) };
        let screen = &self.setup.screen;
        let prices = summary_prices(&live.session.agent);
        screen.page("", &preview(&proposal, &prices)?.text);
        let row = |id: &str, text: &str| PickerRow {
            id: id.to_owned(),
            cells: vec![text.to_owned()],
            ..PickerRow::default()
        };
        let mut rows = vec![row(APPLY, "compact as shown")];
        if proposal.summaries().next().is_some() {
            rows.push(row(EDIT, "edit the summary first"));
        }
        live.proposal = Some(proposal);
        screen.show(Show::Picker(Picker {
            id: COMPACT.to_owned(),
            title: "Compact".to_owned(),
            rows,
            ..Picker::default()
        }));
        Ok(())
    }

    /// Shows the result of a compaction, or the reason of a refusal.
    fn show_compacted(&mut self, done: Result<AppliedCompaction, CompactError>, instructions: Option<&str>) {
        let setup = &self.setup;
        let Some(live) = &mut self.live else { return };
        match done {
            Ok(applied) => {
                // The screen has shown its notice.
                let by_model = applied.receipt.is_some_and(|receipt| !receipt.asked.is_empty());
                if instructions.is_some() && !by_model {
                    setup.screen.notice("The instructions had no effect: no model wrote a summary.");
                }
            }
            Err(error) => setup.screen.notice(format!("Nothing was compacted: {}.", not_compacted(&error))),
        }
        live.measure(&setup.screen);
    }
}
