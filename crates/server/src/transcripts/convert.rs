//! A recorded session as a log: its messages, a receipt for each request, and an edit for each compaction. Pages and views read
//! it as they read the log of a stored session.

use std::collections::HashMap;

use throughline_audit::{AuditedRequest, RecordedSession, SessionAudit};
use throughline_conversation::{
    Action, Components, Edit, EditReason, ExchangeId, FigureSource, Message, MessageRecord, Millis, Receipt,
    Record, RecordBody, Seq, Source, Span, TokenCounter, WindowFigures, is_inserted_text, project_readable,
};
use throughline_stored::SessionLog;
use throughline_watch::ForeignCompaction;

use super::plain_receipt::{plain_receipt, receipt_of};
use crate::inspector::{IDLE_GAP, RequestPoint};

/// Tokens of the newest messages of the user that Codex leaves in view when it compacts.
const CODEX_LEAVES: u64 = 20_000;

/// A cache is lost above this many tokens that were sent again, and above this part of the prompt.
const LOSS_TOKENS: u64 = 1_024;
const LOSS_PART: u64 = 50;

/// How compactions of other agents are named in a log, with the summary and without.
const SUMMARY: &str = "the agent's own summary";
const NO_SUMMARY: &str = "a summary that is not recorded";

/// Why a cache was lost.
pub(super) const CACHE_EXPIRED: &str = "the cache expired";
pub(super) const PREFIX_CHANGED: &str = "the prefix changed";

/// A recorded session as a log, its requests, and what did not fit.
pub(super) struct ConvertedLog {
    pub(super) log: SessionLog,
    pub(super) points: Vec<RequestPoint>,
    pub(super) misfits: Vec<String>,
}

/// What a conversion is made of.
pub(super) struct Conversion<'a> {
    pub(super) recorded: &'a RecordedSession,
    pub(super) audit: &'a SessionAudit,
    /// The compactions with the agent's summaries, oldest first; those with requests before them.
    pub(super) compactions: &'a [ForeignCompaction],
    /// Window of the model.
    pub(super) window: u64,
    /// Tokens of system prompt and tool schemas.
    pub(super) front: u64,
    pub(super) counter: &'a dyn TokenCounter,
}

impl Conversion<'_> {
    /// Makes the log.
    pub(super) fn run(&self) -> ConvertedLog {
        let requests = self.requests_of_turns();
        let first = self.recorded.steps().find_map(|step| step.asked_at.or(step.answered_at));
        let mut made = MadeLog { at: first.unwrap_or(Millis(0)), ..MadeLog::default() };
        let mut made_compactions = 0;
        for (turn, number) in self.recorded.turns.iter().zip(1_u64..) {
            let exchange = ExchangeId(number);
            for (step, place) in turn.steps.iter().zip(1_u64..) {
                made.at = step.asked_at.unwrap_or(made.at).max(made.at);
                let compacted = step.request.compacted && made.has_answers;
                if compacted {
                    self.compact(&mut made, exchange, made_compactions);
                    made_compactions += 1;
                }
                if place == 1 {
                    made.say(exchange, user_source(&turn.user), turn.user.clone(), self.counter);
                }
                let upto = made.last();
                made.at = step.answered_at.unwrap_or(made.at).max(made.at);
                let model = step.request.model.clone().or_else(|| self.recorded.model.clone());
                let source = Source::Model(model.clone().unwrap_or_default());
                let calls: Vec<String> = step.assistant.tool_calls().map(|call| call.name.clone()).collect();
                made.say(exchange, source, step.assistant.clone(), self.counter);
                made.has_answers = true;
                if let Some(request) = requests.get(&(number, place)) {
                    let between = |from: Option<Millis>, to: Option<Millis>| {
                        to.zip(from).map(|(to, from)| to.0.saturating_sub(from.0))
                    };
                    let timed = TimedAnswer {
                        upto,
                        took_ms: between(step.asked_at, step.answered_at).filter(|took| *took >= 0),
                        idle_ms: between(made.answered, step.asked_at).filter(|idle| *idle >= IDLE_GAP),
                        calls,
                    };
                    self.request(&mut made, exchange, request, timed);
                }
                made.answered = step.answered_at.or(made.answered);
                if !step.results.is_empty() {
                    let results = Message::results(step.results.iter().cloned());
                    made.say(exchange, Source::Tools, results, self.counter);
                }
            }
        }
        if self.compactions.len() > made_compactions && made.has_answers {
            let exchange = ExchangeId(self.recorded.turns.len() as u64);
            self.compact(&mut made, exchange, self.compactions.len() - 1);
        }
        if let Some(open) = &self.recorded.open_request {
            let exchange = ExchangeId(self.recorded.turns.len() as u64 + 1);
            made.say(exchange, user_source(open), open.clone(), self.counter);
        }
        let (view, misfits) = project_readable(&made.records, self.counter);
        let misfits = misfits.iter().map(|error| format!("record {}: {}", error.seq, error.source)).collect();
        let last = made.last();
        ConvertedLog { log: SessionLog { records: made.records, view, last }, points: made.points, misfits }
    }

    /// The requests by turn and step. Behind them in the audit are those whose answers are in no turn.
    fn requests_of_turns(&self) -> HashMap<(u64, u64), &AuditedRequest> {
        let in_turns = self.audit.steps.len().saturating_sub(self.audit.unshown as usize);
        let requests = self.audit.steps.iter().take(in_turns);
        requests.map(|request| ((request.turn, request.step), request)).collect()
    }

    /// Adds what a compaction has covered. Codex leaves the newest messages of its user in view; the other agents nothing that
    /// their logs tell of.
    fn compact(&self, made: &mut MadeLog, exchange: ExchangeId, number: usize) {
        let leaves = if self.recorded.format.name() == "codex" { CODEX_LEAVES } else { 0 };
        let mut room = leaves;
        let mut stays = Vec::new();
        for shown in made.shown.iter().rev().filter(|shown| shown.is_user && leaves > 0) {
            if shown.tokens > room {
                break;
            }
            room -= shown.tokens;
            stays.push(shown.span);
        }
        let (mut spans, mut open): (Vec<Span>, Option<Span>) = (Vec::new(), None);
        for shown in &made.shown {
            if stays.contains(&shown.span) {
                spans.extend(open.take());
            } else {
                let first = open.map_or(shown.span.first, |open| open.first);
                open = Some(Span { first, last: shown.span.last });
            }
        }
        spans.extend(open);
        let Some(last) = spans.last().copied() else { return };
        let summary = self.compactions.get(number).map(|one| one.summary.clone());
        let summary = summary.filter(|text| !text.trim().is_empty());
        let actions = spans.iter().map(|span| Action::Cover {
            span: *span,
            summary: summary.clone().filter(|_| *span == last),
            note: None,
        });
        let strategy = if summary.is_some() { SUMMARY } else { NO_SUMMARY };
        let edit = Edit {
            reason: EditReason::CompactThreshold,
            actions: actions.collect(),
            strategies: vec![strategy.to_owned()],
        };
        made.shown.retain(|shown| stays.contains(&shown.span));
        if summary.is_some() {
            made.shown.push(ShownSpan { span: last, is_user: false, tokens: 0 });
            made.shown.sort_by_key(|shown| shown.span.first);
        }
        made.push(exchange, RecordBody::Edit(edit));
        made.compacted = Some(strategy);
    }

    fn request(
        &self,
        made: &mut MadeLog,
        exchange: ExchangeId,
        request: &AuditedRequest,
        timed: TimedAnswer,
    ) {
        let TimedAnswer { upto, took_ms, idle_ms, calls } = timed;
        let number = made.points.len() as u64 + 1;
        let prompt = request.usage.prompt();
        let before = made.points.last().map_or(0, |point| point.usage.prompt());
        let is_reported = !request.input_estimated;
        let front = self.front.min(prompt);
        let window = WindowFigures {
            total: self.window,
            reserved_output: 0,
            used: Components { system: front, conversation: prompt - front, ..Components::default() },
            source: if is_reported { FigureSource::Exact } else { FigureSource::Estimated },
        };
        let strategy = made.compacted.take();
        let compacted = strategy.map(|_| before.saturating_sub(prompt));
        let causes = &request.causes;
        let lost = is_loss(causes.idle_restarts.tokens + causes.prefix_changes.tokens, prompt);
        let miss = match causes.idle_restarts.tokens {
            _ if !lost => None,
            0 => Some(PREFIX_CHANGED.to_owned()),
            _ => Some(CACHE_EXPIRED.to_owned()),
        };
        let receipt = Receipt {
            compaction: strategy.map(|strategy| receipt_of(strategy, before, prompt)),
            ..plain_receipt(request, number, upto, window, is_reported)
        };
        let record = made.push(exchange, RecordBody::Receipt(Box::new(receipt)));
        made.points.push(RequestPoint {
            request: number,
            turn: request.turn,
            record,
            at_ms: made.at,
            model: request.model.clone().unwrap_or_default(),
            window,
            usage: request.usage,
            is_reported,
            is_output_estimated: request.output_estimated,
            compacted,
            idle_ms,
            miss,
            missed_dollars: (lost && request.priced)
                .then_some(causes.idle_restarts.dollars + causes.prefix_changes.dollars),
            took_ms,
            calls,
            dollars: request.priced.then(|| causes.dollars()),
        });
    }
}

/// The log so far.
#[derive(Default)]
struct MadeLog {
    records: Vec<Record>,
    points: Vec<RequestPoint>,
    at: Millis,
    /// What is in view.
    shown: Vec<ShownSpan>,
    has_answers: bool,
    /// When the newest answer came.
    answered: Option<Millis>,
    /// The name of the compaction that came after the request before.
    compacted: Option<&'static str>,
}

/// What the file says of an answer.
struct TimedAnswer {
    /// The newest record that its request showed.
    upto: Seq,
    took_ms: Option<i64>,
    /// Milliseconds of the idle gap before its request.
    idle_ms: Option<i64>,
    /// The tools that it called.
    calls: Vec<String>,
}

struct ShownSpan {
    span: Span,
    is_user: bool,
    tokens: u64,
}

impl MadeLog {
    fn last(&self) -> Seq {
        Seq(self.records.len() as u64)
    }

    fn push(&mut self, exchange: ExchangeId, body: RecordBody) -> Seq {
        let seq = self.last().next();
        self.records.push(Record { seq, at: self.at, exchange, body });
        seq
    }

    fn say(&mut self, exchange: ExchangeId, source: Source, message: Message, counter: &dyn TokenCounter) {
        let is_user = source == Source::User;
        let tokens = if is_user { counter.message(&message) } else { 0 };
        let record = MessageRecord { message, source, usage: None };
        let seq = self.push(exchange, RecordBody::Message(record));
        self.shown.push(ShownSpan { span: Span::one(seq), is_user, tokens });
    }
}

/// Returns true if the cache was lost, by the tokens of a prompt that were sent again: providers also miss a little of what they
/// read.
fn is_loss(tokens: u64, prompt: u64) -> bool {
    tokens > LOSS_TOKENS.max(prompt / LOSS_PART)
}

/// The author of a message that begins a turn: a context that was restored is not the user's.
fn user_source(message: &Message) -> Source {
    let inserted = message.texts().next().is_some() && message.texts().all(is_inserted_text);
    if inserted { Source::Engine } else { Source::User }
}
