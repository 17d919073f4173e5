//! The state that the steps work on.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use throughline_budget::{ContextBudget, CrossingGate, Limits, Measured, Meter};
use throughline_compaction::{Compactor, Goal, Job};
use throughline_completion::{LanguageModel, ModelInfo};
use throughline_continuity::{SnapshotStore, snapshot_of};
use throughline_conversation::{
    CheckpointRecord, CompactionReceipt, Components, Decision, Degradation, EditReason, EntryKind,
    ExchangeId, Message, MessageRecord, Millis, ModelUse, OffloadReceipt, Receipt, RecordBody, SectionText,
    SessionId, Source, TokenCounter, ToolDefinition, ToolsRecord, View, ViewError,
};
use throughline_deferral::{DeferralManager, ToolRanker, deferred_note};
use throughline_prompt::{BreakpointPlanner, CachePredictor, PromptSection, SectionSource, context_note};
use throughline_resultstore::{ResultRepository, ResultStore};
use throughline_text::error_chain;
use throughline_tools::{CancelFlag, RepetitionGuard, ToolRegistry};

use crate::cached_prefix::Left;
use crate::checkpointing::Progress;
use crate::journal::Journal;
use crate::keeping::Keeping;
use crate::system_prompt::SystemTokens;
use crate::{Clock, Event, EventSink, NextModel, Settings};

/// Ports and policies. Only another model changes any of them, and that is recorded.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) session: SessionId,
    pub(crate) workspace: PathBuf,
    pub(crate) model: Arc<dyn LanguageModel>,
    pub(crate) info: ModelInfo,
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) snapshots: Arc<dyn SnapshotStore>,
    pub(crate) results: Arc<ResultStore>,
    pub(crate) repository: Arc<dyn ResultRepository>,
    pub(crate) registry: Arc<ToolRegistry>,
    pub(crate) catalogue: Arc<[ToolDefinition]>,
    pub(crate) ranker: Arc<dyn ToolRanker>,
    pub(crate) sources: Vec<Arc<dyn SectionSource>>,
    pub(crate) compactor: Compactor,
    pub(crate) settings: Settings,
    /// What is kept when messages go.
    pub(crate) keeping: Keeping,
    /// Who goes on when the model cannot answer, in order.
    pub(crate) fallbacks: VecDeque<NextModel>,
}

/// What a session is at a moment.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) parts: Parts,
    pub(crate) journal: Journal,
    pub(crate) view: View,
    pub(crate) exchange: ExchangeId,
    pub(crate) turn: u64,
    pub(crate) request: u64,
    pub(crate) window: u64,
    pub(crate) limits: Limits,
    pub(crate) meter: Meter,
    /// What was learned about the tokenizers of models that were here before.
    pub(crate) meters: BTreeMap<String, Meter>,
    /// Windows that overflow errors have taught, by model.
    pub(crate) learnt: BTreeMap<String, u64>,
    /// How often another model went on in this run: each time everything cached is cold.
    pub(crate) switches: u64,
    /// When the last request was sent in this run.
    pub(crate) sent_at: Option<Millis>,
    /// Epoch of the view that was last counted by the provider.
    pub(crate) counted_epoch: u64,
    pub(crate) gate: CrossingGate,
    pub(crate) deferral: DeferralManager,
    /// What was shown before groups were changed.
    pub(crate) left: Left,
    pub(crate) planner: BreakpointPlanner,
    pub(crate) predictor: CachePredictor,
    pub(crate) system: Arc<[SectionText]>,
    pub(crate) system_tokens: SystemTokens,
    pub(crate) tools: Arc<[ToolDefinition]>,
    pub(crate) tools_tokens: u64,
    pub(crate) deferred: usize,
    pub(crate) fresh_turn: bool,
    /// Epoch for which the system prompt was built; `None`: never.
    pub(crate) prompt_epoch: Option<u64>,
    /// Whether a compaction has rewritten the messages since the system prompt was built.
    pub(crate) rewritten: bool,
    /// What each source gave last: it stands in while the source fails.
    pub(crate) last_sections: BTreeMap<String, Vec<PromptSection>>,
    pub(crate) unsaved_snapshot: bool,
    pub(crate) notes: Notes,
    /// Tokens of the documents at the end of each request.
    pub(crate) documents_tokens: u64,
    /// Counter's figure for the notes behind the conversation in the request that is being made.
    pub(crate) tail_tokens: u64,
    /// The notice threshold was crossed upwards, and the model has not been told yet.
    pub(crate) note_due: bool,
    /// Counts identical calls in a row, unless they are allowed.
    pub(crate) repetition: Option<RepetitionGuard>,
    /// What the next checkpoint tells.
    pub(crate) progress: Progress,
    /// Where the session stood when it was opened again; shown to the end of the first turn.
    pub(crate) resumed: Option<String>,
    /// The checkpoint that it is told from.
    pub(crate) resumed_from: Option<CheckpointRecord>,
    /// Memos that the turn's message is about.
    pub(crate) recalled: Option<String>,
    /// What the model should know about its own signals, at the end of the next request.
    pub(crate) complaints: Vec<String>,
}

/// What the next receipt will tell.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) decisions: Vec<Decision>,
    pub(crate) degraded: Vec<Degradation>,
    pub(crate) offloaded: Vec<OffloadReceipt>,
    pub(crate) compaction: Option<CompactionReceipt>,
}

impl Notes {
    /// Takes back what a receipt tells that is not kept: its request was not answered.
    pub(crate) fn put_back(&mut self, receipt: Receipt) {
        let Receipt { decisions, compaction, offloaded, .. } = receipt;
        self.decisions.splice(0..0, decisions);
        self.offloaded.splice(0..0, offloaded);
        self.compaction = self.compaction.take().or(compaction);
    }
}

/// One turn's way to the caller.
pub(crate) struct Wire<'a> {
    pub(crate) sink: &'a dyn EventSink,
    pub(crate) cancel: &'a CancelFlag,
}

impl Engine {
    pub(crate) fn decide(&mut self, step: &str, what: impl Into<String>, why: impl Into<String>) {
        self.notes.decisions.push(Decision { step: step.to_owned(), what: what.into(), why: why.into() });
    }

    /// Tells a line of what the engine does: to the caller, and in the receipt.
    pub(crate) fn tell(&mut self, wire: &Wire<'_>, step: &str, line: String, why: &str) {
        tracing::info!(step, line, "log");
        wire.sink.emit(Event::Log(line.clone()));
        self.decide(step, line, why);
    }

    /// Notes that something simpler took a subsystem's place, in the receipt, the log and the events.
    pub(crate) fn degrade(
        &mut self,
        wire: &Wire<'_>,
        subsystem: &str,
        fallback: &str,
        cause: &dyn std::error::Error,
    ) {
        let note = Degradation {
            subsystem: subsystem.to_owned(),
            fallback: fallback.to_owned(),
            cause: error_chain(cause),
        };
        self.note_degraded(wire, note);
    }

    pub(crate) fn note_degraded(&mut self, wire: &Wire<'_>, note: Degradation) {
        tracing::warn!(subsystem = %note.subsystem, fallback = %note.fallback, cause = %note.cause, "degraded");
        wire.sink.emit(Event::Degraded(note.clone()));
        self.journal.add(self.exchange, RecordBody::Degraded(note.clone()));
        self.notes.degraded.push(note);
    }

    /// Notes what a model used for requests whose answers are no messages, if there were any.
    pub(crate) fn spend(&mut self, wire: &Wire<'_>, used: ModelUse) {
        if used.is_nothing() {
            return;
        }
        self.progress.add(Some(&used.usage));
        self.journal.add(self.exchange, RecordBody::Spent(used.clone()));
        wire.sink.emit(Event::Spent(used));
    }

    /// Appends to the log and takes the record into the view.
    pub(crate) fn append(&mut self, body: RecordBody) -> Result<(), ViewError> {
        let record = self.journal.add(self.exchange, body);
        self.view.apply(&record, self.parts.counter.as_ref())
    }

    /// Appends a message and takes it into the view. A view that cannot take it is said, and the log has it.
    pub(crate) fn say(&mut self, wire: &Wire<'_>, message: Message, source: Source) {
        let body = RecordBody::Message(MessageRecord { message, source, usage: None });
        if let Err(error) = self.append(body) {
            self.degrade(wire, "view", "the message is in the log and missing from this request", &error);
        }
    }

    /// What a compaction of the view as it is would work on.
    pub(crate) fn job(&self, goal: Goal, reason: EditReason) -> Job<'_> {
        let effective = self.limits.effective_window;
        Job {
            session: &self.parts.session,
            view: &self.view,
            counter: self.parts.counter.as_ref(),
            room: self.meter.to_raw(effective).saturating_sub(self.raw().fixed()),
            fixed: self.raw().fixed(),
            compact_at: self.limits.compact.map(|tokens| self.meter.to_raw(tokens)),
            goal,
            reason,
            prefix: self.cached_prefix(),
            instructions: None,
            spending: None,
        }
    }

    /// Writes what waits; a failure is said and tried again at the next flush.
    pub(crate) async fn flush(&mut self, wire: &Wire<'_>) {
        match self.journal.flush().await {
            Ok(Some(seq)) => wire.sink.emit(Event::Acknowledged { seq }),
            Ok(None) => {}
            Err(error) => {
                let waiting = self.journal.waiting();
                let fallback =
                    format!("{waiting} records are kept in memory and tried again at the next write");
                self.degrade(wire, "log", &fallback, &error);
            }
        }
    }

    /// Saves a snapshot of the view. Without one a resume reads the whole log: slower, never wrong.
    pub(crate) async fn save_snapshot(&mut self, wire: &Wire<'_>) {
        let snapshot = snapshot_of(&self.parts.session, &self.view, self.parts.clock.now());
        match self.parts.snapshots.save(&snapshot).await {
            Ok(()) => {
                self.unsaved_snapshot = false;
                wire.sink.emit(Event::SnapshotSaved { covers: snapshot.covers });
            }
            Err(error) => self.degrade(wire, "snapshot store", "a resume will read the whole log", &error),
        }
    }

    /// The counter's own figures for the request as it would be now.
    pub(crate) fn raw(&self) -> Components {
        Components {
            // Documents are not cached and not cut, as little as the prompt is.
            system: self.system_tokens.base.saturating_add(self.documents_tokens),
            skills: self.system_tokens.skills,
            tools: self.tools_tokens,
            conversation: self.view.tokens(),
        }
    }

    /// Takes the provider's report about the session's newest request as the base of all measurements, as it was when
    /// the answer came. Nothing is taken of a request that the view does not go on from.
    pub(crate) fn anchor_on(&mut self, receipt: &Receipt) {
        let Some(reported) = &receipt.reported else { return };
        if receipt.model != self.parts.info.name || receipt.epoch != self.view.epoch() {
            return;
        }
        let entries = self.view.entries();
        let shown = entries.iter().take_while(|entry| entry.span.last <= receipt.upto);
        let (count, sent) = shown
            .fold((0, 0), |(count, sum): (usize, u64), entry| (count + 1, sum.saturating_add(entry.tokens)));
        let answer = entries.get(count).filter(|entry| entry.kind == EntryKind::Assistant);
        let counter = self.parts.counter.as_ref();
        let tail = tokens_of(counter, &receipt.tail);
        let raw = self.raw().fixed().saturating_add(sent).saturating_add(tail);
        let said = answer.map_or(0, |entry| entry.tokens);
        self.meter.anchor(raw, raw.saturating_add(said), reported);
    }

    pub(crate) fn measure(&self) -> (ContextBudget, Measured) {
        let measured = self.meter.measure(self.raw());
        let mut budget = ContextBudget::new(self.window, self.parts.settings.max_output_tokens);
        budget.measure_usage(&measured);
        (budget, measured)
    }

    /// Opens a group where the newest one is hidden: what is written into that would be hidden with it.
    pub(crate) fn leave_hidden_group(&mut self) {
        self.exchange = self.view.groups().open_group(self.exchange);
    }

    /// A cautious upper bound of the tokens of the next request, with the notes at its end.
    pub(crate) fn upper(&self) -> u64 {
        self.measure().1.upper.saturating_add(self.meter.from_raw(self.tail_tokens))
    }

    /// Takes these as the notes of the next request, and that of the tools that are deferred.
    pub(crate) fn count_tail(&mut self, tail: &[String]) {
        let deferred = (self.deferred > 0).then(|| deferred_note(self.deferred));
        let full = self.note_due.then(|| context_note(100));
        let notes = tail.iter().chain(&deferred).chain(&full);
        self.tail_tokens = tokens_of(self.parts.counter.as_ref(), notes);
    }

    /// Lets deferral choose the tools. The list changes only at an epoch or on a promotion.
    pub(crate) fn select_tools(&mut self) -> Option<String> {
        let effective = self.limits.effective_window;
        let counter = Arc::clone(&self.parts.counter);
        let epoch = self.view.epoch().saturating_add(self.switches);
        let chosen =
            self.deferral.select(&self.parts.catalogue, counter.as_ref(), effective, epoch, self.turn);
        self.tools_tokens = chosen.tokens;
        self.deferred = chosen.deferred;
        if *self.tools == *chosen.active {
            return None;
        }
        let why = chosen.changed.unwrap_or_else(|| "first list of the session".to_owned());
        self.tools = chosen.active;
        self.meter.drop_anchor();
        let record = ToolsRecord { tools: self.tools.to_vec(), why: why.clone() };
        self.journal.add(self.exchange, RecordBody::Tools(record));
        Some(why)
    }
}

/// The counter's figure for texts that stand one behind the other.
pub(crate) fn tokens_of<'a>(counter: &dyn TokenCounter, texts: impl IntoIterator<Item = &'a String>) -> u64 {
    texts.into_iter().fold(0, |sum: u64, text| sum.saturating_add(counter.text(text)))
}
