//! Requests to a provider: what their spans and figures are by, and the spans of side requests.

use opentelemetry::trace::SpanKind;
use opentelemetry::{Array, KeyValue, Value};
use throughline_conversation::{
    AnswerIdentity, Origin, Purpose, ServerAddress, SideAnswer, SideOutcome, SideRequest,
};

use crate::names::{
    CONVERSATION, FINISH, MODEL, OPERATION, PROVIDER, PURPOSE, RESPONSE_ID, RESPONSE_MODEL, SERVER,
    SERVER_PORT, STREAM, provider,
};
use crate::spans::{OpenSpan, Since, Spans, usage};

/// What a request is, for spans and metrics. All of it has few values.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    operation: &'static str,
    model: Origin,
    server: Option<ServerAddress>,
    /// The model that has answered.
    answered_by: Option<String>,
}

impl Asked {
    /// A request for an answer of a model.
    pub(crate) fn chat(model: Origin, server: Option<ServerAddress>) -> Self {
        Self { operation: "chat", model, server, answered_by: None }
    }

    fn side(request: SideRequest) -> Self {
        // The conventions have no word for a count.
        let operation = if request.purpose == Purpose::Count { "count_tokens" } else { "chat" };
        Self { operation, ..Self::chat(request.model, request.server) }
    }

    /// The name of its span.
    pub(crate) fn span_name(&self) -> String {
        format!("{} {}", self.operation, self.model.model)
    }

    pub(crate) fn attributes(&self) -> Vec<KeyValue> {
        let mut attributes = vec![
            KeyValue::new(OPERATION, self.operation),
            KeyValue::new(PROVIDER, provider(&self.model.provider).to_owned()),
            KeyValue::new(MODEL, self.model.model.clone()),
        ];
        if let Some(server) = &self.server {
            attributes.push(KeyValue::new(SERVER, server.host.clone()));
            attributes.push(KeyValue::new(SERVER_PORT, i64::from(server.port)));
        }
        attributes.extend(self.answered_by.clone().map(|model| KeyValue::new(RESPONSE_MODEL, model)));
        attributes
    }

    /// Takes what the provider says of the answer, and returns the attributes of the span.
    pub(crate) fn answered(&mut self, identity: AnswerIdentity, stop: Option<String>) -> Vec<KeyValue> {
        let AnswerIdentity { id, model } = identity;
        self.answered_by.clone_from(&model);
        let id = id.map(|id| KeyValue::new(RESPONSE_ID, id));
        let model = model.map(|model| KeyValue::new(RESPONSE_MODEL, model));
        id.into_iter().chain(model).chain(stop.map(finish)).collect()
    }
}

/// Why the model stopped.
pub(crate) fn finish(stop: String) -> KeyValue {
    KeyValue::new(FINISH, Value::Array(Array::String(vec![stop.into()])))
}

/// A side request that has not ended. Its span is made at its end: only then it is known whether something was sent.
#[derive(Debug)]
pub(crate) struct OpenSide {
    asked: Asked,
    purpose: Purpose,
    since: Since,
}

impl OpenSide {
    pub(crate) fn begin(request: SideRequest) -> Self {
        let purpose = request.purpose;
        Self { asked: Asked::side(request), purpose, since: Since::now() }
    }

    /// Makes its span, below what caused it, and counts it.
    pub(crate) fn end(self, spans: &Spans, parent: Option<&OpenSpan>, session: &str, answer: SideAnswer) {
        let Self { mut asked, purpose, since } = self;
        let (facts, error) = match answer.outcome {
            SideOutcome::NotSent => return,
            SideOutcome::Stopped => (Vec::new(), None),
            SideOutcome::Failed(error) => (Vec::new(), Some(error)),
            SideOutcome::Answered { stop, identity } => (asked.answered(identity, stop), None),
        };
        let mut attributes = asked.attributes();
        attributes.push(KeyValue::new(CONVERSATION, session.to_owned()));
        attributes.push(KeyValue::new(PURPOSE, purpose.name()));
        let streams = !matches!(purpose, Purpose::Count | Purpose::ProviderCompaction);
        attributes.extend(streams.then(|| KeyValue::new(STREAM, true)));
        attributes.extend(facts);
        let mut span = spans.begin_at(since, asked.span_name(), SpanKind::Client, parent, attributes);
        if let Some(used) = &answer.usage {
            span.set_all(usage(used));
            spans.instruments.tokens(&asked, used, true);
        }
        spans.instruments.request(&asked, span.end(error), error);
    }
}
