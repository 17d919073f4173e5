//! A request of a turn whose span has not ended.

use std::time::SystemTime;

use opentelemetry::KeyValue;
use serde_json::Value;
use throughline_conversation::{AnswerIdentity, Usage};

use crate::names::FIRST_CHUNK;
use crate::output::Output;
use crate::request_span::Asked;
use crate::spans::{OpenSpan, Spans, usage};

/// A request of a turn. It stays open after its answer for the calls in it, which are events of their own.
#[derive(Debug)]
pub(crate) struct OpenChat {
    span: OpenSpan,
    asked: Asked,
    began_answering: bool,
    /// The answer so far.
    output: Output,
    /// When it was answered.
    answered: Option<SystemTime>,
}

impl OpenChat {
    pub(crate) fn new(span: OpenSpan, asked: Asked) -> Self {
        Self { span, asked, began_answering: false, output: Output::default(), answered: None }
    }

    /// Returns true if nothing but calls can follow.
    pub(crate) fn is_answered(&self) -> bool {
        self.answered.is_some()
    }

    /// Takes a piece of the answer.
    pub(crate) fn hear(&mut self, spans: &Spans, take: impl FnOnce(&mut Output)) {
        if !self.began_answering {
            self.began_answering = true;
            let waited = self.span.age();
            self.span.set(KeyValue::new(FIRST_CHUNK, waited.as_secs_f64()));
            spans.instruments.first_chunk(&self.asked, waited);
        }
        if spans.content {
            take(&mut self.output);
        }
    }

    /// Takes a call of the answer.
    pub(crate) fn call(&mut self, spans: &Spans, id: &str, name: &str, input: &Value) {
        if spans.content && self.is_answered() {
            self.output.call(id, name, input);
        }
    }

    pub(crate) fn note(&mut self, name: &'static str, attributes: Vec<KeyValue>) {
        self.span.event(name, attributes);
    }

    /// What was heard does not count.
    pub(crate) fn withdraw(&mut self) {
        self.output = Output::default();
    }

    /// Counts attempts that had no answer.
    pub(crate) fn spent(&self, spans: &Spans, used: &Usage) {
        if !self.is_answered() {
            spans.instruments.tokens(&self.asked, used, false);
        }
    }

    pub(crate) fn answered(
        &mut self,
        spans: &Spans,
        used: Option<&Usage>,
        stop: String,
        identity: AnswerIdentity,
    ) {
        self.output.stop(&stop);
        self.span.set_all(self.asked.answered(identity, Some(stop)));
        if let Some(used) = used {
            self.span.set_all(usage(used));
            spans.instruments.tokens(&self.asked, used, true);
        }
        spans.instruments.request(&self.asked, self.span.age(), None);
        self.answered = Some(SystemTime::now());
    }

    /// Ends the span; the error is that of a request without an answer. Returns the answer.
    pub(crate) fn end(mut self, spans: &Spans, error: Option<&'static str>) -> Output {
        if !self.output.is_empty() {
            self.span.set(self.output.message());
        }
        match self.answered {
            Some(at) => self.span.end_at(at),
            None => spans.instruments.request(&self.asked, self.span.end(error), error),
        }
        self.output
    }
}
