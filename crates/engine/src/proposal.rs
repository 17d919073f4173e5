//! A compaction that is shown before it is applied.

use throughline_compaction::{CompactResult, Compacted, CompactionError, Goal};
use throughline_conversation::{Degradation, Edit, EditReason, ModelUse, View};
use throughline_ledger::lost_names;
use throughline_text::scale_part;

use crate::calibration::{ShownFigures, pays_back};
use crate::compact_error::CompactError;
use crate::engine::ContextEngine;
use crate::operation::Operation;
use crate::steps::renew_prompt;

/// A compaction that is made and not applied: the model still sees everything.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionProposal {
    compacted: Compacted,
    figures: ShownFigures,
    result: CompactResult,
    before: View,
    asked: Vec<ModelUse>,
    /// Requests until the tokens that it saves have paid for its price; `None`: never.
    pub pays_back_after: Option<u64>,
}

impl CompactionProposal {
    /// Its figures for the messages alone, in the tokens of the window's figures.
    #[must_use]
    pub fn result(&self) -> &CompactResult {
        &self.result
    }

    /// Tokens of a part of the conversation, by the counter, in the same tokens.
    #[must_use]
    pub fn shown_tokens(&self, part: u64) -> u64 {
        scale_part(part, self.before.tokens(), self.result.before_tokens)
    }

    /// The view that it is made for.
    #[must_use]
    pub fn before(&self) -> &View {
        &self.before
    }

    /// The view that it leads to.
    #[must_use]
    pub fn after(&self) -> &View {
        &self.compacted.view
    }

    /// The edit that it would append to the log.
    #[must_use]
    pub fn edit(&self) -> &Edit {
        &self.compacted.edit
    }

    /// Parts that failed while it was made, with their fallbacks.
    #[must_use]
    pub fn degraded(&self) -> &[Degradation] {
        &self.compacted.degraded
    }

    /// What the models that wrote the summaries have used. It is recorded already.
    #[must_use]
    pub fn asked(&self) -> &[ModelUse] {
        &self.asked
    }

    /// The summaries that it writes, in order.
    pub fn summaries(&self) -> impl Iterator<Item = &str> {
        self.compacted.summaries()
    }

    /// Names that would leave the view: paths, files and identifiers, the most mentioned first.
    #[must_use]
    pub fn lost_names(&self) -> Vec<String> {
        lost_names(self.before.entries(), self.after().entries())
    }
}

impl Operation<'_> {
    /// Compacts now, with instructions for the summary. They have no effect on summaries without a model. Any gain is enough:
    /// the user decides what a cold prompt cache is worth.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact(&mut self, instructions: Option<&str>) -> Result<CompactResult, CompactError> {
        let figures = self.step().compaction().shown_figures();
        let result = self.step().compaction().on_request(instructions).await;
        let result = result.map_err(|error| figures.refusal(error))?;
        self.after_compaction().await;
        Ok(result)
    }

    /// Makes a compaction as [`compact`](Self::compact) does, and does not apply it. A model that writes the summary is paid
    /// already.
    ///
    /// # Errors
    /// [`CompactError`]; then there is nothing to apply.
    pub async fn preview(&mut self, instructions: Option<&str>) -> Result<CompactionProposal, CompactError> {
        let figures = self.step().compaction().shown_figures();
        let proposed =
            self.step().compaction().propose(EditReason::Manual, Goal::Requested, instructions).await;
        self.flush().await;
        self.proposal(figures, proposed)
    }

    /// The same with a summary by rule, also where a model writes summaries: nothing is paid.
    ///
    /// # Errors
    /// [`CompactError`]; then there is nothing to show.
    pub async fn preview_by_rule(&mut self) -> Result<CompactionProposal, CompactError> {
        let figures = self.step().compaction().shown_figures();
        let proposed = self.step().compaction().propose_by_rule().await;
        self.proposal(figures, proposed)
    }

    fn proposal(
        &self,
        figures: ShownFigures,
        proposed: Result<(Compacted, Vec<ModelUse>), CompactError>,
    ) -> Result<CompactionProposal, CompactError> {
        let (compacted, asked) = proposed.map_err(|error| figures.refusal(error))?;
        let result = figures.result(&compacted.result);
        let pays_back_after = pays_back(&result, self.engine.state.model.info.prices);
        let before = self.engine.state.session.view().clone();
        Ok(CompactionProposal { compacted, figures, result, before, asked, pays_back_after })
    }

    /// Applies a proposed compaction. Returns its figures, which are those that were shown unless the model has changed since.
    ///
    /// # Errors
    /// [`CompactError`]: the session has changed since, or what leaves could not be stored; then nothing has changed.
    pub async fn apply(&mut self, proposal: CompactionProposal) -> Result<CompactResult, CompactError> {
        if *self.engine.state.session.view() != proposal.before {
            return Err(CompactError::Outdated);
        }
        let result = self.step().compaction().apply_shown(proposal.compacted, proposal.asked).await?;
        self.after_compaction().await;
        Ok(result)
    }

    /// Writes the prompt that belongs to the compacted view, even if nothing more is asked in this run.
    pub(crate) async fn after_compaction(&mut self) {
        renew_prompt(&mut self.step()).await;
        self.flush().await;
    }
}

impl ContextEngine {
    /// The same compaction with other texts of its summaries, in order.
    ///
    /// # Errors
    /// [`CompactError`]: a text is empty, or the view would not become smaller.
    pub fn edit_proposal(
        &self,
        proposal: &CompactionProposal,
        summaries: Vec<String>,
    ) -> Result<CompactionProposal, CompactionError> {
        let counter = self.state.session.counter();
        let compacted = proposal.compacted.with_summaries(&proposal.before, summaries, counter)?;
        let result = proposal.figures.result(&compacted.result);
        let pays_back_after = pays_back(&result, self.state.model.info.prices);
        Ok(CompactionProposal { compacted, result, pays_back_after, ..proposal.clone() })
    }

    /// Returns true if there are standing instructions for summaries and no model writes any.
    #[must_use]
    pub fn ignores_instructions(&self) -> bool {
        let compactor = &self.state.model.compactor;
        compactor.policy().instructions.is_some() && !compactor.asks_model()
    }
}
