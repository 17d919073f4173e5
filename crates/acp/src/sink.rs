//! The events of a session as updates of the protocol.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent_client_protocol::v1::schema::{
    CompactionStatus, CompactionUpdate, ContentBlock, ContentChunk, Cost, MessageId, Meta, NoticeSeverity,
    SessionUpdate, TextContent, ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields, UsageUpdate,
};
use serde_json::{Value, json};
use throughline_agent::{Event, EventSink};
use throughline_conversation::ToolCall;
use throughline_session::{RunTally, event_object};
use throughline_tools::Effect;

use crate::calls::{diff_content, plan, shown_call, text_content};
use crate::link::Link;

/// The key of what the protocol has no field for.
pub(crate) const META: &str = "throughline";

/// Sums events up, and sends what a client can show of them.
#[derive(Debug)]
pub(crate) struct SessionSink {
    pub(crate) link: Arc<Link>,
    state: Mutex<SinkState>,
}

#[derive(Debug, Default)]
struct SinkState {
    tally: RunTally,
    /// Tokens that are used, and those of the window.
    window: (u64, u64),
    /// Messages of the model that have begun. Each has its own id.
    messages: u64,
    /// Ids of compactions that the client was shown and whose summary it was not.
    compactions: Vec<String>,
    /// Number of the newest compaction.
    compaction: u64,
    /// Who began the compaction that was shown as begun, and not as ended.
    compacting: Option<Begun>,
}

/// Who began a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begun {
    /// A command, which also says how it ended.
    Command,
    Engine,
}

impl SessionSink {
    pub(crate) fn new(link: Arc<Link>, tally: RunTally) -> Self {
        Self { link, state: Mutex::new(SinkState { tally, ..SinkState::default() }) }
    }

    /// What the session has used so far.
    pub(crate) fn tally(&self) -> RunTally {
        self.state().tally.clone()
    }

    /// Sends how full the window is, and what the session has cost.
    pub(crate) fn send_usage(&self, used: u64, size: u64) {
        let mut state = self.state();
        state.window = (used, size);
        let dollars = state.tally.meter.cost().dollars();
        drop(state);
        let cost = dollars.at_least().map(|amount| {
            let is_exact = json!({ "exact": dollars.exact().is_some() });
            Cost::new(amount, "USD").meta(meta(is_exact))
        });
        self.link.update(SessionUpdate::UsageUpdate(UsageUpdate::new(used, size).cost(cost)));
    }

    /// Shows a compaction that a command begins.
    pub(crate) fn begin_compaction(&self) {
        self.begin(Begun::Command);
    }

    fn begin(&self, by: Begun) {
        let mut state = self.state();
        if state.compacting.is_some() {
            return;
        }
        let id = state.next_compaction();
        state.compacting = Some(by);
        drop(state);
        self.link.compaction(CompactionUpdate::new(id, CompactionStatus::InProgress));
    }

    /// Ends a compaction that was shown as begun and that changed nothing, for this reason.
    pub(crate) fn end_compaction(&self, status: CompactionStatus, why: Option<String>) {
        let mut state = self.state();
        if state.compacting.take().is_none() {
            return;
        }
        let id = state.compaction_id();
        drop(state);
        let update = CompactionUpdate::new(id, status);
        self.link.compaction(why.map_or(update.clone(), |why| update.error(why)));
    }

    /// Adds the summary to the compactions that were shown without one.
    pub(crate) fn send_summary(&self, summary: Option<String>) {
        let ids = std::mem::take(&mut self.state().compactions);
        let (Some(id), Some(summary)) = (ids.last(), summary) else { return };
        let text = vec![ContentBlock::Text(TextContent::new(summary))];
        self.link.compaction(CompactionUpdate::new(id.clone(), CompactionStatus::Completed).summary(text));
    }

    /// The newest figures: tokens that are used, and those of the window.
    fn window(&self) -> (u64, u64) {
        self.state().window
    }

    /// A chunk of the message of the model that is being written.
    fn chunk(&self, text: &str) -> ContentChunk {
        let number = self.state().messages;
        let chunk = ContentChunk::new(ContentBlock::Text(TextContent::new(text)));
        chunk.message_id(MessageId::new(format!("{}-{number}", self.link.id().0)))
    }

    /// Calls that the end of a turn has left without a result.
    pub(crate) fn fail_calls(&self, calls: Vec<ToolCall>) {
        for call in calls {
            let fields = ToolCallUpdateFields::new().status(ToolCallStatus::Failed);
            self.link.update(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(call.id, fields)));
        }
    }

    fn started(&self, call: ToolCall) {
        let shown = shown_call(&call, self.link.access(&call).as_ref(), &self.link.workspace);
        self.link.started(call);
        self.link.update(SessionUpdate::ToolCall(shown));
    }

    fn finished(&self, event: &Event, call_id: &str, is_error: bool) {
        let (call, diffs) = self.link.finished(call_id);
        let mut output = event_object(event, None).unwrap_or_default();
        if let Some(fields) = output.as_object_mut() {
            ["type", "call_id", "name"].into_iter().for_each(|name| drop(fields.remove(name)));
        }
        let text = output.get("output").and_then(Value::as_str).unwrap_or_default();
        // A change that failed was announced, and not made. What an edit answers repeats what its diff shows.
        let mut content = if is_error { Vec::new() } else { diff_content(diffs) };
        let access = call.as_ref().and_then(|call| self.link.access(call));
        let is_edit = access.is_some_and(|access| access.effect == Effect::Edit);
        if !(text.is_empty() || is_edit && !content.is_empty()) {
            content.insert(0, text_content(text));
        }
        let status = if is_error { ToolCallStatus::Failed } else { ToolCallStatus::Completed };
        let fields = ToolCallUpdateFields::new().status(status).content(content).raw_output(output);
        self.link.update(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(call_id.to_owned(), fields)));
        if let Some(plan) = call.filter(|_| !is_error).as_ref().and_then(plan) {
            self.link.update(SessionUpdate::Plan(plan));
        }
    }

    fn compacted(&self, receipt: &Value) {
        let mut state = self.state();
        let begun = state.compacting.take();
        let id = if begun.is_some() { state.compaction_id() } else { state.next_compaction() };
        state.compactions.push(id.clone());
        drop(state);
        let update = CompactionUpdate::new(id, CompactionStatus::Completed);
        self.link.compaction(update.meta(meta(json!({ "receipt": receipt }))));
    }

    fn state(&self) -> MutexGuard<'_, SinkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SinkState {
    fn next_compaction(&mut self) -> String {
        self.compaction += 1;
        self.compaction_id()
    }

    fn compaction_id(&self) -> String {
        format!("compaction-{}", self.compaction)
    }
}

impl EventSink for SessionSink {
    fn emit(&self, event: Event) {
        self.state().tally.take(&event);
        match &event {
            Event::Text(text) => self.link.update(SessionUpdate::AgentMessageChunk(self.chunk(text))),
            Event::Thinking(text) => self.link.update(SessionUpdate::AgentThoughtChunk(self.chunk(text))),
            Event::ToolStarted { call_id, name, input } => {
                self.started(ToolCall { id: call_id.clone(), name: name.clone(), input: input.clone() });
            }
            Event::ToolFinished { call_id, is_error, .. } => self.finished(&event, call_id, *is_error),
            Event::Window { figures, .. } => self.send_usage(figures.used.total(), figures.total),
            Event::Answered { .. } => {
                self.state().messages += 1;
                let (used, size) = self.window();
                self.send_usage(used, size);
            }
            Event::CompactionStarted { .. } => self.begin(Begun::Engine),
            Event::CompactionEnded { error: Some(kind), .. }
                if self.state().compacting == Some(Begun::Engine) =>
            {
                self.end_compaction(CompactionStatus::Failed, Some(kind.replace('_', " ")));
            }
            Event::Compacted(receipt) => {
                self.compacted(&serde_json::to_value(receipt).unwrap_or_default());
                let (_, size) = self.window();
                self.send_usage(receipt.after_tokens, size);
            }
            Event::Withdrawn { why } => {
                self.state().messages += 1;
                let text =
                    format!("\n\n*(The answer up to here does not count and is sent again: {why}.)*\n\n");
                self.link.update(SessionUpdate::AgentMessageChunk(self.chunk(&text)));
                self.state().messages += 1;
            }
            Event::NotCompacted { why } => {
                let text = format!("A compaction was due and changed nothing: {why}.");
                self.link.notice(NoticeSeverity::Warning, &text);
            }
            Event::Cited(sources) => {
                let lines = sources.iter().map(|source| format!("\n- {}", source.line()));
                let text = format!("\n\nSources:{}\n", lines.collect::<String>());
                self.link.update(SessionUpdate::AgentMessageChunk(self.chunk(&text)));
            }
            Event::Notice(text) => self.link.notice(NoticeSeverity::Info, text),
            Event::Retrying { cause, wait_ms } => {
                let text = format!("{cause}. Trying again in {} s.", wait_ms.div_ceil(1000));
                self.link.notice(NoticeSeverity::Warning, &text);
            }
            Event::Switched { from, to, why } => {
                let text = format!("{to} answers from here on instead of {from}: {why}.");
                self.link.notice(NoticeSeverity::Warning, &text);
            }
            Event::Degraded(note) => {
                let text = format!("{} failed: {}. Instead: {}.", note.subsystem, note.cause, note.fallback);
                self.link.notice(NoticeSeverity::Warning, &text);
            }
            _ => {}
        }
    }
}

/// What the protocol has no field for.
pub(crate) fn meta(value: Value) -> Meta {
    [(META.to_owned(), value)].into_iter().collect()
}
