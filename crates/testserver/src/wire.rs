//! The protocols: the form of the same answer in each of them.

mod anthropic;
mod cache_split;
mod chat;
pub(crate) mod compaction;
mod diagnosis;
mod disturb;
mod gemini;
mod models;
mod ollama;
mod ollama_service;
mod pieces;
mod problem;
mod responses;

use serde_json::{Value, json};
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Usage};

use crate::answer::{Answer, Reported, Say, Spoken};
use crate::reply::Reply;
use crate::{ErrorKind, size};

pub(crate) use diagnosis::diagnosis;
pub(crate) use models::{list as list_models, one as one_model};
pub(crate) use ollama_service::{pull, show, tags};
pub(crate) use problem::Problem;

/// The time of every answer, in seconds since 1970. It stands still, so that equal scripts give equal bytes.
const CREATED: u64 = 1_767_225_600;

/// The same time as text.
const CREATED_TEXT: &str = "2026-01-01T00:00:00Z";

/// What arguments of calls are when a script wants them broken.
const BAD_INPUT: &str = r#"{"path": "a"#;

/// A protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions API.
    Chat,
    /// OpenAI's Responses API.
    Responses,
    /// Google's Gemini API.
    Gemini,
    /// The same in the envelope of Code Assist.
    CodeAssist,
    /// Ollama's own API.
    Ollama,
}

/// A request that asks a model for something.
#[derive(Debug, Clone)]
pub(crate) struct Asked<'a> {
    pub(crate) protocol: Protocol,
    /// The model's name; empty without one.
    pub(crate) model: &'a str,
    /// The answer comes event by event.
    pub(crate) streams: bool,
    pub(crate) body: &'a Value,
    /// A compaction is asked for, not an answer.
    pub(crate) compacts: bool,
    /// For ids.
    pub(crate) number: u64,
    /// Prompts of more tokens are cut (Ollama).
    pub(crate) cuts_at: Option<u64>,
    /// The field of the answer that says why the cache was not reused.
    pub(crate) diagnosis: Option<(&'static str, Value)>,
    /// The prompt by what the cache did with it, where there is one.
    pub(crate) cached: Option<Usage>,
}

/// What is said, with nothing left open.
#[derive(Debug, Clone)]
struct WireAnswer<'a> {
    blocks: &'a [ContentBlock],
    stop: StopReason,
    usage: Option<Usage>,
    /// Tokens of the thinking, a part of the output.
    thinking: u64,
    bad_input: bool,
}

impl Asked<'_> {
    /// The model's name; empty without one.
    pub(crate) fn model(&self) -> &str {
        self.model
    }

    /// The answer comes event by event.
    fn streams(&self) -> bool {
        self.streams
    }

    /// An id as the provider would make it.
    fn id(&self, prefix: &str) -> String {
        format!("{prefix}{:024}", self.number)
    }

    /// The error as a whole response.
    pub(crate) fn refuse(&self, problem: &Problem) -> Reply {
        problem.reply(self.protocol, self.model(), self.number)
    }
}

/// The model that a body names.
pub(crate) fn model(body: &Value) -> &str {
    body.get("model").and_then(Value::as_str).unwrap_or_default()
}

/// Ollama streams unless it is asked not to, the others when they are asked to.
pub(crate) fn streams(protocol: Protocol, body: &Value) -> bool {
    body.get("stream").and_then(Value::as_bool).unwrap_or(protocol == Protocol::Ollama)
}

/// The reply to a request, as the script has it.
pub(crate) fn reply(asked: &Asked<'_>, answer: &Answer) -> Reply {
    let mut reply = match &answer.say {
        Say::Blocks(spoken) => spoken_reply(asked, spoken, answer.event_error.as_ref()),
        Say::Status(status, body) => Reply::json(*status, body),
        Say::Error(kind) => error_reply(asked, kind),
        Say::Html(status, page) => Reply::whole(*status, "text/html; charset=utf-8", page.as_bytes()),
        Say::Raw { content_type, body } => Reply::stream(content_type, disturb::recorded(content_type, body)),
    };
    if let Some(at) = answer.garbage_after {
        disturb::garbage(&mut reply, at);
    }
    for (name, value) in &answer.headers {
        reply = reply.header(name, value);
    }
    Reply { pace: answer.pace, ..reply }
}

fn spoken_reply(asked: &Asked<'_>, spoken: &Spoken, error: Option<&ErrorKind>) -> Reply {
    let says = |block: &ContentBlock| !matches!(block, ContentBlock::Image(_) | ContentBlock::ToolResult(_));
    if !spoken.blocks.iter().all(says) {
        let message = "the script holds a block that no model says: a picture or a tool result";
        return asked.refuse(&Problem::Inside(message.to_owned()));
    }
    if let Some(kind) = error.filter(|_| !asked.streams()) {
        return error_reply(asked, kind);
    }
    let answer = answer(asked, spoken);
    if asked.compacts {
        return match asked.protocol {
            Protocol::Responses => compaction::item(asked, &answer),
            _ => compaction::block(asked, &answer),
        };
    }
    let reply = match (asked.protocol, asked.streams()) {
        (Protocol::Anthropic, true) => sse(anthropic::stream(asked, &answer)),
        (Protocol::Anthropic, false) => Reply::json(200, &anthropic::whole(asked, &answer)),
        (Protocol::Chat, true) => sse(chat::stream(asked, &answer)),
        (Protocol::Chat, false) => Reply::json(200, &chat::whole(asked, &answer)),
        (Protocol::Responses, true) => sse(responses::stream(asked, &answer)),
        (Protocol::Responses, false) => Reply::json(200, &responses::whole(asked, &answer)),
        (Protocol::Gemini | Protocol::CodeAssist, true) => sse(gemini::stream(asked, &answer)),
        (Protocol::Gemini | Protocol::CodeAssist, false) => Reply::json(200, &gemini::whole(asked, &answer)),
        (Protocol::Ollama, true) => Reply::stream("application/x-ndjson", ollama::stream(asked, &answer)),
        (Protocol::Ollama, false) => Reply::json(200, &ollama::whole(asked, &answer)),
    };
    let mut reply = problem::with_request_id(reply, asked.protocol, asked.number);
    if let Some(kind) = error {
        disturb::error(&mut reply, |behind| Problem::Kind(kind.clone()).event(asked, behind));
    }
    reply
}

/// An error as the whole answer. A prompt that is too long is found by the Responses API when the stream runs.
fn error_reply(asked: &Asked<'_>, kind: &ErrorKind) -> Reply {
    let problem = Problem::Kind(kind.clone());
    if asked.protocol == Protocol::Responses && asked.streams() && matches!(kind, ErrorKind::TooLong { .. }) {
        let frames = responses::failed_stream(asked, &problem);
        return problem::with_request_id(sse(frames), asked.protocol, asked.number);
    }
    asked.refuse(&problem)
}

fn sse(frames: Vec<crate::reply::Frame>) -> Reply {
    Reply::stream("text/event-stream; charset=utf-8", frames)
}

fn answer<'a>(asked: &Asked<'_>, spoken: &'a Spoken) -> WireAnswer<'a> {
    let calls = spoken.blocks.iter().any(|block| matches!(block, ContentBlock::ToolCall(_)));
    let by_itself = if calls { StopReason::ToolUse } else { StopReason::EndTurn };
    let usage = match spoken.usage {
        Reported::Nothing => None,
        Reported::Scripted(usage) => Some(usage),
        Reported::Counted => {
            let counted = || Usage { input: size::of_prompt(asked.body), ..Usage::default() };
            let prompt = asked.cached.unwrap_or_else(counted);
            Some(Usage { output: size::of_blocks(&spoken.blocks), ..prompt })
        }
    };
    let cut = asked.cuts_at.filter(|most| size::of_messages(asked.body) > *most);
    let usage = usage.map(|usage| match cut {
        Some(most) => Usage { input: most / 2 + 2, output: usage.output, ..Usage::default() },
        None => usage,
    });
    let thinking = size::of_thinking(&spoken.blocks).min(usage.map_or(0, |usage| usage.output));
    WireAnswer {
        blocks: &spoken.blocks,
        stop: spoken.stop.clone().unwrap_or(by_itself),
        usage,
        thinking,
        bad_input: spoken.bad_input,
    }
}

impl WireAnswer<'_> {
    /// The arguments of a call as the wire's text.
    fn arguments(&self, input: &Value) -> String {
        if self.bad_input { BAD_INPUT.to_owned() } else { input.to_string() }
    }

    /// The arguments of a call where the wire has an object for them.
    fn input(&self, input: &Value) -> Value {
        if self.bad_input { json!(BAD_INPUT) } else { input.clone() }
    }
}
