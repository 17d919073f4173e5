//! Compactions at the caller's request.

use throughline_compaction::{CompactResult, CompactionError};
use throughline_engine::{CompactError, CompactionProposal, EventSink, SummaryPrice, TurnContext};
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::ahead;
use crate::turn_hooks::report;

impl Agent {
    /// Compacts now.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact(&mut self, sink: &dyn EventSink) -> Result<CompactResult, CompactError> {
        self.compact_with(None, sink, &CancelFlag::default()).await
    }

    /// Compacts now, with instructions for the summary. They have no effect on summaries without a model. Any gain is enough:
    /// the user decides what a cold prompt cache is worth.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact_with(
        &mut self,
        instructions: Option<&str>,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<CompactResult, CompactError> {
        let sink = self.listener.with(sink);
        let turn = TurnContext { sink: &sink, cancel };
        let instructions = self.hooked_instructions(instructions, &turn).await?;
        ahead::wait(&mut self.parts, &turn).await;
        let made = self.parts.engine.operation(&sink, cancel).compact(instructions.as_deref()).await;
        self.report_compaction(&turn).await;
        made
    }

    /// Compacts while the user is away, for the reason that [`decide_idle`](Self::decide_idle) found.
    ///
    /// # Errors
    /// [`CompactError`]; then nothing has changed.
    pub async fn compact_idle(
        &mut self,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<CompactResult, CompactError> {
        let sink = self.listener.with(sink);
        let turn = TurnContext { sink: &sink, cancel };
        ahead::wait(&mut self.parts, &turn).await;
        let made = self.parts.engine.operation(&sink, cancel).compact_idle().await;
        self.report_compaction(&turn).await;
        made
    }

    /// Returns true if there are standing instructions for summaries and no model writes any.
    #[must_use]
    pub fn ignores_instructions(&self) -> bool {
        self.parts.engine.ignores_instructions()
    }

    /// What a summary of this many tokens by the session's model costs now, if the user asks for it; `None`: no model writes
    /// summaries.
    #[must_use]
    pub fn summary_price(&self, output: u64) -> Option<SummaryPrice> {
        self.parts.engine.summary_price(output)
    }

    /// Makes a compaction as [`compact_with`](Self::compact_with) does, and does not apply it. A model that writes the summary
    /// is paid already.
    ///
    /// # Errors
    /// [`CompactError`]; then there is nothing to apply.
    pub async fn propose_compaction(
        &mut self,
        instructions: Option<&str>,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<CompactionProposal, CompactError> {
        let sink = self.listener.with(sink);
        let turn = TurnContext { sink: &sink, cancel };
        let instructions = self.hooked_instructions(instructions, &turn).await?;
        ahead::wait(&mut self.parts, &turn).await;
        self.parts.engine.operation(&sink, cancel).preview(instructions.as_deref()).await
    }

    /// What a compaction would do now, with a summary by rule: no model is asked and no hook runs. It is only to be looked at.
    ///
    /// # Errors
    /// [`CompactError`]; then there is nothing to show.
    pub async fn show_compaction(
        &mut self,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Result<CompactionProposal, CompactError> {
        let sink = self.listener.with(sink);
        self.parts.engine.operation(&sink, cancel).preview_by_rule().await
    }

    /// The same compaction with other texts of its summaries, in order.
    ///
    /// # Errors
    /// [`CompactionError`]: a text is empty, or the view would not become smaller.
    pub fn edit_proposal(
        &self,
        proposal: &CompactionProposal,
        summaries: Vec<String>,
    ) -> Result<CompactionProposal, CompactionError> {
        self.parts.engine.edit_proposal(proposal, summaries)
    }

    /// Applies a proposed compaction.
    ///
    /// # Errors
    /// [`CompactError`]: the session has changed since, or what leaves could not be stored; then nothing has changed.
    pub async fn apply_proposal(
        &mut self,
        proposal: CompactionProposal,
        sink: &dyn EventSink,
    ) -> Result<CompactResult, CompactError> {
        let (sink, cancel) = (self.listener.with(sink), CancelFlag::default());
        let made = self.parts.engine.operation(&sink, &cancel).apply(proposal).await;
        self.report_compaction(&TurnContext { sink: &sink, cancel: &cancel }).await;
        made
    }

    /// The instructions as the hooks let them through.
    async fn hooked_instructions(
        &mut self,
        instructions: Option<&str>,
        turn: &TurnContext<'_>,
    ) -> Result<Option<String>, CompactError> {
        let Some(hooks) = &self.parts.hooks else { return Ok(instructions.map(str::to_owned)) };
        let answer = hooks.compacting(instructions, turn.cancel).await;
        report(&mut self.parts, turn);
        answer.map_err(CompactError::Declined)
    }

    /// Tells the hooks of a compaction outside of a turn.
    async fn report_compaction(&mut self, turn: &TurnContext<'_>) {
        if let Some(hooks) = &self.parts.hooks {
            hooks.compacted(self.parts.engine.view(), turn.cancel).await;
            report(&mut self.parts, turn);
        }
    }
}
