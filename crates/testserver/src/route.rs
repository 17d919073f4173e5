//! From a request to its reply.

mod endpoint;
mod judge;

use serde_json::{Value, json};

use crate::ErrorKind;
use crate::http::{Head, Request};
use crate::reply::Reply;
use crate::state::{State, Terms};
use crate::wire::{self, Asked, Problem, Protocol};
use endpoint::{Endpoint, Found};

/// The reply, and the place of the request among the received ones.
pub(crate) fn answer(state: &State, request: &Request) -> (usize, Reply) {
    let head = &request.head;
    let number = state.number();
    let parsed = match request.body.as_slice() {
        [] => Ok(Value::Null),
        bytes => serde_json::from_slice::<Value>(bytes).map_err(|error| error.to_string()),
    };
    let (endpoint, protocol) = match endpoint::find(head) {
        Found::Endpoint(endpoint, protocol) => (endpoint, protocol),
        Found::Nothing(protocol) => {
            let path = format!("{} {}", head.method, head.path);
            return refused(state, head, parsed, protocol, number, &Problem::NoPath(path));
        }
        Found::OtherMethod(protocol, allowed) => {
            let (method, path) = (head.method.clone(), head.path.clone());
            return refused(
                state,
                head,
                parsed,
                protocol,
                number,
                &Problem::Method { method, path, allowed },
            );
        }
    };
    let terms = state.terms();
    if let Some(problem) = key_problem(&terms, protocol, head) {
        return refused(state, head, parsed, protocol, number, &problem);
    }
    let body = match parsed {
        Ok(body) => body,
        Err(error) => {
            let message = format!("the body is not valid JSON: {error}");
            let index = state.note(head, number, Value::Null, vec![message.clone()]);
            return (index, Problem::Invalid(message).reply(protocol, "", number));
        }
    };
    // Some services have the request itself inside of an envelope.
    let inner = match (&endpoint, protocol) {
        (Endpoint::CountContents, _) => body.get("generateContentRequest").unwrap_or(&Value::Null),
        (_, Protocol::CodeAssist) => body.get("request").unwrap_or(&Value::Null),
        _ => &body,
    };
    let (model, streams) = target(head, protocol, &body);
    let diagnosis = wire::diagnosis(protocol, inner, |number| state.body_of(number));
    let cuts_at = terms.cuts_at;
    let compacts = endpoint == Endpoint::Compact || wire::compaction::is_asked(protocol, inner);
    let asked =
        Asked { protocol, model, streams, body: inner, compacts, number, cuts_at, diagnosis, cached: None };
    let mut faults = Vec::new();
    let google = matches!(protocol, Protocol::Gemini | Protocol::CodeAssist);
    if google && streams && !head.query.split('&').any(|pair| pair == "alt=sse") {
        faults
            .push("alt: this server streams server-sent events alone; ask for them with ?alt=sse".to_owned());
    }
    let version = protocol == Protocol::Anthropic && head.header("anthropic-version").is_none();
    if version {
        faults.push("anthropic-version: header is required".to_owned());
    }
    if compacts && protocol == Protocol::Anthropic {
        faults.extend(wire::compaction::faults(inner, head.header("anthropic-beta")));
    }
    faults.extend(judge::faults(&endpoint, protocol, model, inner, &terms.demands));
    let strict = version || !terms.lenient;
    let problem = match faults.first() {
        Some(fault) if strict => Some(Problem::Invalid(fault.clone())),
        _ if endpoint.names_model() && !terms.knows(protocol, asked.model()) => {
            Some(Problem::Kind(ErrorKind::NotFound))
        }
        _ => None,
    };
    // Noted before the answer is taken: a test that sees the answer sees the request too.
    let index = state.note(head, number, body.clone(), faults);
    let reply = match problem {
        Some(problem) => asked.refuse(&problem),
        None => served(state, &terms, &endpoint, &asked),
    };
    (index, reply)
}

/// The model that is asked, and true if its answer streams: for Google's services both are in the path, and Code Assist has the
/// model in its envelope.
fn target<'a>(head: &'a Head, protocol: Protocol, body: &'a Value) -> (&'a str, bool) {
    let streams = head.path.ends_with(":streamGenerateContent");
    match protocol {
        Protocol::Gemini => (endpoint::gemini(&head.path).map_or("", |(name, _)| name), streams),
        Protocol::CodeAssist => (wire::model(body), streams),
        _ => (wire::model(body), wire::streams(protocol, body)),
    }
}

fn served(state: &State, terms: &Terms, endpoint: &Endpoint, asked: &Asked<'_>) -> Reply {
    let tokens = || {
        let counted = state.counted(asked.protocol, asked.body);
        counted.unwrap_or_else(|| crate::size::of_prompt(asked.body))
    };
    match endpoint {
        Endpoint::Generate | Endpoint::Compact => match state.next(asked.body) {
            Some(answer) => {
                let cached = answer.says().then(|| state.cached(asked.protocol, asked.body)).flatten();
                wire::reply(&Asked { cached, ..asked.clone() }, &answer)
            }
            None => asked.refuse(&Problem::Inside("the script is at its end".to_owned())),
        },
        Endpoint::CountMessages => Reply::json(200, &json!({"input_tokens": tokens()})),
        Endpoint::CountInput => {
            Reply::json(200, &json!({"object": "response.input_tokens", "input_tokens": tokens()}))
        }
        Endpoint::CountContents => Reply::json(200, &json!({"totalTokens": tokens()})),
        Endpoint::Models => wire::list_models(asked.protocol, &terms.models, asked.number),
        Endpoint::Model(name) => wire::one_model(asked.protocol, &terms.models, name, asked.number),
        Endpoint::Tags => wire::tags(&terms.models),
        Endpoint::Show => wire::show(&terms.models, asked.body),
        Endpoint::Pull => wire::pull(&terms.models, asked.body),
        Endpoint::Version => Reply::json(200, &json!({"version": "0.12.6"})),
        Endpoint::Root => Reply::whole(200, "text/plain; charset=utf-8", "Ollama is running"),
    }
}

fn refused(
    state: &State,
    head: &Head,
    body: Result<Value, String>,
    protocol: Protocol,
    number: u64,
    problem: &Problem,
) -> (usize, Reply) {
    let body = body.unwrap_or_default();
    let reply = problem.reply(protocol, wire::model(&body), number);
    (state.note(head, number, body, Vec::new()), reply)
}

/// What is wrong with the key that was shown.
fn key_problem(terms: &Terms, protocol: Protocol, head: &Head) -> Option<Problem> {
    let key = terms.key.as_deref()?;
    let bearer = || head.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let shown = match protocol {
        Protocol::Ollama => return None,
        // The official client for Python (2.12) shows its key as a bearer.
        Protocol::Anthropic => head.header("x-api-key").or_else(bearer),
        Protocol::Gemini => head.header("x-goog-api-key"),
        Protocol::Chat | Protocol::Responses | Protocol::CodeAssist => bearer(),
    };
    match shown.map(str::trim).filter(|shown| !shown.is_empty()) {
        None => Some(Problem::NoKey),
        Some(shown) if shown == key => None,
        Some(shown) => Some(Problem::WrongKey(shown.to_owned())),
    }
}
