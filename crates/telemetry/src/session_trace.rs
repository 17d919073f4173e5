//! The events of one session as spans and figures.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use opentelemetry::KeyValue;
use opentelemetry::trace::SpanKind;
use serde_json::Value;
use throughline_agent::{Event, EventSink};
use throughline_conversation::{
    AnswerIdentity, CacheMiss, Components, Origin, ServerAddress, SessionId, SideAnswer, SideOutcome, Usage,
};

use crate::compaction_span::OpenCompaction;
use crate::names::{
    AGENT, AGENT_NAME, COMPACTED, CONVERSATION, INPUT_MESSAGES, MODEL, OPERATION, PROVIDER, PURPOSE, STREAM,
    TOOL_ARGUMENTS, TOOL_CALL, TOOL_NAME, TOOL_RESULT, TOOL_TYPE, provider,
};
use crate::open_chat::OpenChat;
use crate::output::Output;
use crate::request_span::{Asked, OpenSide, finish};
use crate::spans::{OpenSpan, Spans, message, text, tokens, usage};

/// The error of a turn whose future was dropped.
const ABANDONED: &str = "abandoned";

/// Takes the events of a session.
#[derive(Debug)]
pub(crate) struct SessionTrace {
    spans: Arc<Spans>,
    session: String,
    state: Mutex<TraceState>,
}

#[derive(Debug, Default)]
struct TraceState {
    model: Option<Origin>,
    turn: Option<OpenTurn>,
    chat: Option<OpenChat>,
    side: Option<OpenSide>,
    /// Calls of tools by their ids.
    tools: HashMap<String, OpenSpan>,
    compaction: Option<OpenCompaction>,
    /// The view was compacted since the session was opened.
    compacted: bool,
}

#[derive(Debug)]
struct OpenTurn {
    span: OpenSpan,
    usage: Usage,
    /// The newest answer.
    answer: Output,
}

impl SessionTrace {
    pub(crate) fn new(spans: Arc<Spans>, session: &SessionId) -> Self {
        Self { spans, session: session.to_string(), state: Mutex::default() }
    }
}

impl EventSink for SessionTrace {
    fn emit(&self, event: Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Tracing { spans: &self.spans, session: &self.session, state: &mut state }.take(event);
    }
}

impl Drop for SessionTrace {
    fn drop(&mut self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Tracing { spans: &self.spans, session: &self.session, state: &mut state }
            .end_turn(None, Some(ABANDONED));
    }
}

/// One event being taken.
struct Tracing<'a> {
    spans: &'a Spans,
    session: &'a str,
    state: &'a mut TraceState,
}

impl Tracing<'_> {
    fn take(&mut self, event: Event) {
        if let Event::ToolFinished { .. } = event {
            self.end_answered();
        }
        match event {
            Event::TurnStarted { model, text } => self.begin_turn(model, &text),
            Event::TurnEnded { stop, error } => self.end_turn(stop, error),
            Event::Sent { request, messages, server, .. } => self.begin_chat(request, messages, server),
            Event::Text(text) => self.hear(|output| output.hear(&text)),
            Event::Thinking(text) => self.hear(|output| output.think(&text)),
            Event::Retrying { wait_ms, .. } => {
                self.note("throughline.retry", vec![tokens("throughline.retry.wait_ms", wait_ms)]);
            }
            Event::Withdrawn { .. } => self.withdraw(),
            Event::Answered { usage, stop, identity } => self.answered(usage, stop, identity),
            Event::NotAnswered { error } => self.end_chat(error),
            Event::CacheMissed(miss) => self.missed(&miss),
            Event::Switched { to, .. } => {
                self.state.model = to.split_once('/').map(|(provider, model)| Origin::new(provider, model));
            }
            Event::SideAsked(request) => self.state.side = Some(OpenSide::begin(request)),
            Event::SideAnswered(answer) => self.end_side(answer),
            Event::Spent(used) => {
                // While a request is open, its attempts without an answer; everything else was counted by its own end.
                if let Some(chat) = &self.state.chat {
                    chat.spent(self.spans, &used.usage);
                }
                self.add_usage(used.usage);
            }
            Event::ToolStarted { call_id, name, input } => self.begin_tool(call_id, &name, &input),
            Event::ToolFinished { call_id, name, bytes, is_error, output, offloaded } => {
                let Some(mut span) = self.state.tools.remove(&call_id) else { return };
                span.set(tokens("throughline.tool.result_bytes", bytes));
                span.set(KeyValue::new("throughline.tool.offloaded", offloaded.is_some()));
                if self.spans.content {
                    span.set(text(TOOL_RESULT, &output));
                }
                let error = is_error.then_some("tool_error");
                self.spans.instruments.tool(&name, span.end(error), error);
            }
            Event::CompactionStarted { reason, used, price } => {
                let turn = self.state.turn.as_ref().map(|turn| &turn.span);
                let mut begun = OpenCompaction::begin(self.spans, turn, self.session, &reason, &used);
                if let Some(price) = &price {
                    begun.price(price);
                }
                self.state.compaction = Some(begun);
            }
            Event::Compacted(receipt) => {
                self.state.compacted = true;
                if let Some(compaction) = &mut self.state.compaction {
                    compaction.receipt(&receipt);
                }
            }
            Event::CompactionEnded { used, error } => self.end_compaction(&used, error),
            _ => {}
        }
    }

    /// What the spans of the models' side have in common.
    fn attributes(&self, operation: &'static str, model: Option<&Origin>) -> Vec<KeyValue> {
        let mut attributes =
            vec![KeyValue::new(OPERATION, operation), KeyValue::new(CONVERSATION, self.session.to_owned())];
        if let Some(model) = model {
            attributes.push(KeyValue::new(PROVIDER, provider(&model.provider).to_owned()));
            attributes.push(KeyValue::new(MODEL, model.model.clone()));
        }
        attributes
    }

    fn begin_turn(&mut self, model: Origin, text: &str) {
        self.end_turn(None, Some(ABANDONED));
        let mut attributes = self.attributes("invoke_agent", Some(&model));
        attributes.push(KeyValue::new(AGENT_NAME, AGENT));
        if self.spans.content && !text.is_empty() {
            attributes.push(message(INPUT_MESSAGES, "user", text));
        }
        let span = self.spans.begin(format!("invoke_agent {AGENT}"), SpanKind::Internal, None, attributes);
        self.state.model = Some(model);
        self.state.turn = Some(OpenTurn { span, usage: Usage::default(), answer: Output::default() });
    }

    /// Ends the turn, and what it left open.
    fn end_turn(&mut self, stop: Option<String>, error: Option<&'static str>) {
        self.end_chat(error);
        self.end_side(SideAnswer::without_usage(SideOutcome::Failed(ABANDONED)));
        for (_, span) in self.state.tools.drain() {
            span.end(error);
        }
        self.state.compaction = None;
        let Some(OpenTurn { mut span, usage: used, answer }) = self.state.turn.take() else { return };
        span.set_all(usage(&used));
        span.set_all(stop.map(finish));
        if !answer.is_empty() {
            span.set(answer.message());
        }
        self.spans.instruments.agent(span.end(error), error);
    }

    fn begin_chat(&mut self, request: u64, messages: usize, server: Option<ServerAddress>) {
        // One that is still open was sent again without a word about it.
        self.end_chat(Some("_OTHER"));
        let Some(model) = self.state.model.clone() else { return };
        let asked = Asked::chat(model, server);
        let mut attributes = asked.attributes();
        attributes.push(KeyValue::new(CONVERSATION, self.session.to_owned()));
        attributes.push(KeyValue::new(PURPOSE, "turn"));
        attributes.push(KeyValue::new(STREAM, true));
        attributes.push(tokens("throughline.request.number", request));
        attributes.push(tokens("throughline.request.messages", messages as u64));
        if self.state.compacted {
            attributes.push(KeyValue::new(COMPACTED, true));
        }
        let turn = self.state.turn.as_ref().map(|turn| &turn.span);
        let span = self.spans.begin(asked.span_name(), SpanKind::Client, turn, attributes);
        self.state.chat = Some(OpenChat::new(span, asked));
    }

    /// A piece of the answer.
    fn hear(&mut self, take: impl FnOnce(&mut Output)) {
        if let Some(chat) = &mut self.state.chat {
            chat.hear(self.spans, take);
        }
    }

    fn note(&mut self, name: &'static str, attributes: Vec<KeyValue>) {
        if let Some(chat) = &mut self.state.chat {
            chat.note(name, attributes);
        }
    }

    fn missed(&mut self, miss: &CacheMiss) {
        let figures = vec![
            tokens("throughline.cache.expected_tokens", miss.warm),
            tokens("throughline.cache.read_tokens", miss.read),
        ];
        if let Some(turn) = &mut self.state.turn {
            turn.span.event("throughline.cache_missed", figures);
        }
    }

    fn withdraw(&mut self) {
        self.note("throughline.withdrawn", Vec::new());
        if let Some(chat) = &mut self.state.chat {
            chat.withdraw();
        }
    }

    fn answered(&mut self, used: Option<Usage>, stop: String, identity: AnswerIdentity) {
        if let Some(chat) = &mut self.state.chat {
            chat.answered(self.spans, used.as_ref(), stop, identity);
        }
        self.add_usage(used.unwrap_or_default());
        if !self.spans.content {
            self.end_chat(None);
        }
    }

    /// Ends a request that is answered: the first result shows that all calls of the answer are known.
    fn end_answered(&mut self) {
        if self.state.chat.as_ref().is_some_and(OpenChat::is_answered) {
            self.end_chat(None);
        }
    }

    fn end_chat(&mut self, error: Option<&'static str>) {
        let Some(chat) = self.state.chat.take() else { return };
        let output = chat.end(self.spans, error);
        if let Some(turn) = self.state.turn.as_mut().filter(|_| output.has_text()) {
            turn.answer = output;
        }
    }

    fn add_usage(&mut self, used: Usage) {
        if let Some(turn) = &mut self.state.turn {
            turn.usage = turn.usage.plus(used);
        }
    }

    fn begin_tool(&mut self, call_id: String, name: &str, input: &Value) {
        if let Some(chat) = &mut self.state.chat {
            chat.call(self.spans, &call_id, name, input);
        }
        let mut attributes = self.attributes("execute_tool", None);
        attributes.extend([
            KeyValue::new(TOOL_NAME, name.to_owned()),
            KeyValue::new(TOOL_CALL, call_id.clone()),
            KeyValue::new(TOOL_TYPE, "function"),
        ]);
        if self.spans.content {
            attributes.push(text(TOOL_ARGUMENTS, &input.to_string()));
        }
        let turn = self.state.turn.as_ref().map(|turn| &turn.span);
        let span = self.spans.begin(format!("execute_tool {name}"), SpanKind::Internal, turn, attributes);
        self.state.tools.insert(call_id, span);
    }

    /// Ends the side request below what caused it: a compaction, else the turn.
    fn end_side(&mut self, answer: SideAnswer) {
        let Some(side) = self.state.side.take() else { return };
        let compaction = self.state.compaction.as_ref().map(OpenCompaction::span);
        let parent = compaction.or(self.state.turn.as_ref().map(|turn| &turn.span));
        side.end(self.spans, parent, self.session, answer);
    }

    fn end_compaction(&mut self, used: &Components, error: Option<&'static str>) {
        if let Some(compaction) = self.state.compaction.take() {
            compaction.end(self.spans, used, error);
        }
    }
}
