//! The result of a manual compaction.

mod preview;

use std::sync::{Mutex, PoisonError};

use throughline_agent::{Agent, CompactError, CompactionProposal, Event, EventSink};
use throughline_compaction::CompactResult;
use throughline_conversation::{CompactionReceipt, ModelUse, RecordBody};
use throughline_groups::{CompactionDiff, Cover, Replacement, compaction_diff};
use throughline_text::{counted, error_chain, group_thousands, scale_part};
use throughline_tools::CancelFlag;

use crate::answer::Answer;
use crate::diff::pays_back;
use crate::target::CommandTarget;
use throughline_connect::{cost_of, cost_text};

pub use preview::{preview, summary_prices};

/// The figures, what stayed and what left the view, how to inspect it and how to undo it.
pub async fn compacted(
    target: &CommandTarget,
    applied: &AppliedCompaction,
    instructions: Option<&str>,
) -> anyhow::Result<Answer> {
    let AppliedCompaction { result, receipt } = applied;
    let log = target.handle.log().await?;
    let mut lines = vec![format!("Compacted {}.", sizes(result))];
    if let Some(receipt) = receipt {
        lines.extend(whole_request_and_price(receipt)?);
    }
    if let Ok(diff) = compaction_diff(&log.records, None, target.handle.counter.as_ref()) {
        let shown = |tokens| scale_part(tokens, diff.before.tokens, result.before_tokens);
        lines.extend(gone(&diff.covers, &diff.replaced, shown));
        let by_model = |cover: &Cover| cover.note.as_ref().is_some_and(|note| note.model.is_some());
        if instructions.is_some() && !diff.covers.iter().any(by_model) {
            lines.push("The instructions had no effect: no model wrote a summary.".to_owned());
        }
        lines.push(format!(
            "Still in view: {}. The session's log keeps every message.",
            counted(still_in_view(&diff), "message")
        ));
    }
    lines.push(format!("To see what it removed: {}", target.command("context", "diff")));
    lines.push(format!("To undo it: {}", target.command("undo", "--compaction")));
    let mut answer = Answer::lines(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("compaction".to_owned(), serde_json::to_value(result)?);
    }
    Ok(answer)
}

/// A compaction that the user asked for.
pub enum MadeCompaction {
    /// It is shown, and not applied.
    Proposed(Box<CompactionProposal>),
    /// It is applied.
    Applied(Box<AppliedCompaction>),
}

/// A compaction that was made, with its price.
#[derive(Debug, Clone)]
pub struct AppliedCompaction {
    /// What it changed.
    pub result: CompactResult,
    /// Its figures of whole requests, and its price.
    pub receipt: Option<CompactionReceipt>,
}

/// Passes events on, and takes the receipt of the compaction among them.
struct ReceiptSink<'a> {
    sink: &'a dyn EventSink,
    receipt: Mutex<Option<CompactionReceipt>>,
}

impl ReceiptSink<'_> {
    fn applied(self, result: CompactResult) -> AppliedCompaction {
        AppliedCompaction {
            result,
            receipt: self.receipt.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }
}

impl EventSink for ReceiptSink<'_> {
    fn emit(&self, event: Event) {
        if let Event::Compacted(receipt) = &event {
            *self.receipt.lock().unwrap_or_else(PoisonError::into_inner) = Some(receipt.clone());
        }
        self.sink.emit(event);
    }
}

/// Makes a compaction, and applies it unless it is to be shown first.
pub async fn make(
    agent: &mut Agent,
    instructions: Option<&str>,
    shown_first: bool,
    sink: &dyn EventSink,
    cancel: &CancelFlag,
) -> Result<MadeCompaction, CompactError> {
    if shown_first {
        let proposal = agent.propose_compaction(instructions, sink, cancel).await?;
        return Ok(MadeCompaction::Proposed(Box::new(proposal)));
    }
    let receipts = ReceiptSink { sink, receipt: Mutex::default() };
    let result = agent.compact_with(instructions, &receipts, cancel).await?;
    Ok(MadeCompaction::Applied(Box::new(receipts.applied(result))))
}

/// The same where no proposal can be applied: a model's summary would be paid for and lost, so that what is only shown has one by
/// rule.
pub async fn make_or_show(
    agent: &mut Agent,
    instructions: Option<&str>,
    only_shown: bool,
    sink: &dyn EventSink,
    cancel: &CancelFlag,
) -> Result<MadeCompaction, CompactError> {
    if only_shown {
        return Ok(MadeCompaction::Proposed(Box::new(agent.show_compaction(sink, cancel).await?)));
    }
    make(agent, instructions, false, sink, cancel).await
}

/// Applies a compaction that was shown first.
pub async fn apply(
    agent: &mut Agent,
    proposal: CompactionProposal,
    sink: &dyn EventSink,
) -> Result<AppliedCompaction, CompactError> {
    let receipts = ReceiptSink { sink, receipt: Mutex::default() };
    let result = agent.apply_proposal(proposal, &receipts).await?;
    Ok(receipts.applied(result))
}

/// Returns true if the storage is why nothing was compacted.
pub fn is_storage_failure(error: &CompactError) -> bool {
    matches!(error, CompactError::Store(_))
}

/// Why a compaction that the user asked for changed nothing.
pub fn not_compacted(error: &CompactError) -> String {
    match error {
        CompactError::Compaction(error) => error.explained(),
        error => error_chain(error),
    }
}

/// The sizes of the conversation before and after a compaction, made or not, and its strategies.
pub(crate) fn sizes(result: &CompactResult) -> String {
    format!(
        "{} → {} messages, {} → {} tokens of the conversation ({})",
        group_thousands(result.before_messages),
        group_thousands(result.after_messages),
        group_thousands(result.before_tokens),
        group_thousands(result.after_tokens),
        result.strategies_run.join(", ")
    )
}

/// The sizes of whole requests before and after, and what the compaction costs.
fn whole_request_and_price(receipt: &CompactionReceipt) -> anyhow::Result<Vec<String>> {
    let mut lines = vec![
        format!(
            "The whole request: {} → {} tokens.",
            group_thousands(receipt.before_tokens),
            group_thousands(receipt.after_tokens),
        ),
        format!(
            "Price: {} tokens are written to the prompt cache again; {}{}.",
            group_thousands(receipt.rewritten_tokens),
            pays_back(receipt.pays_back_after),
            receipt.waited()
        ),
    ];
    lines.extend(summary_price(&receipt.asked)?);
    Ok(lines)
}

/// What the models that wrote the summary have used and cost; `None`: no model was asked.
fn summary_price(asked: &[ModelUse]) -> anyhow::Result<Option<String>> {
    if asked.is_empty() {
        return Ok(None);
    }
    let asked: Vec<RecordBody> = asked.iter().cloned().map(RecordBody::Spent).collect();
    let cost = cost_of(&asked, &throughline_connect::model_table()?);
    Ok(Some(format!(
        "The summary took {} tokens of input and {} of output: {}.",
        group_thousands(cost.usage.prompt()),
        group_thousands(cost.usage.output),
        cost_text(&cost)
    )))
}

/// Messages that were not covered.
fn still_in_view(diff: &CompactionDiff) -> u64 {
    let covered: usize = diff.covers.iter().map(|cover| cover.messages.len()).sum();
    diff.before.messages.saturating_sub(covered as u64)
}

/// A line for each stretch that is covered, and one for what is offloaded. `shown` makes tokens of the counter those of the screens.
fn gone(covers: &[Cover], replaced: &[Replacement], shown: impl Fn(u64) -> u64) -> Vec<String> {
    let mut lines = Vec::new();
    for cover in covers {
        let tokens = cover.messages.iter().fold(0, |sum: u64, message| sum.saturating_add(message.tokens));
        let became = match (&cover.summary, &cover.note) {
            (None, _) => "dropped".to_owned(),
            (Some(_), None) => "summarized".to_owned(),
            (Some(_), Some(note)) => format!("summarized by {}", note.author()),
        };
        lines.push(format!(
            "{} with {}: {became}.",
            counted(cover.messages.len() as u64, "message"),
            counted(shown(tokens), "token")
        ));
    }
    let bytes = replaced
        .iter()
        .fold(0, |sum: u64, one| sum.saturating_add(one.before_bytes.saturating_sub(one.after_bytes)));
    match replaced.len() {
        0 => {}
        1 => lines.push(format!(
            "Offloaded 1 result or argument with {} bytes; the model can read it back.",
            group_thousands(bytes)
        )),
        more => lines.push(format!(
            "Offloaded {more} results and arguments with {} bytes; the model can read them back.",
            group_thousands(bytes)
        )),
    }
    lines
}
