//! One answer of a script file.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use throughline_completion::StopReason;
use throughline_conversation::{ContentBlock, Thinking, ToolCall, Usage};

use crate::{Answer, ErrorKind};

/// An answer in the form of the file.
#[derive(Debug)]
pub(super) struct ScriptedAnswer(pub(super) Answer);

impl<'de> Deserialize<'de> for ScriptedAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnswerFieldsVisitor)
    }
}

/// Judges the fields before the reader continues, so that an error has the line where the answer ends and not the line
/// of whatever comes next.
struct AnswerFieldsVisitor;

impl<'de> Visitor<'de> for AnswerFieldsVisitor {
    type Value = ScriptedAnswer;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an answer: an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ScriptedAnswer, A::Error> {
        let fields = Fields::deserialize(MapAccessDeserializer::new(map))?;
        fields.answer().map(ScriptedAnswer).map_err(Error::custom)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    // What is said.
    text: Option<String>,
    call: Option<Call>,
    blocks: Option<Vec<Block>>,
    status: Option<u16>,
    body: Option<Value>,
    error: Option<ErrorKind>,
    html: Option<String>,
    raw: Option<String>,
    content_type: Option<String>,
    // How a model says it.
    stop: Option<String>,
    usage: Option<Tokens>,
    #[serde(default)]
    no_usage: bool,
    #[serde(default)]
    bad_input: bool,
    event_error: Option<ErrorKind>,
    // How it comes.
    #[serde(default)]
    headers: BTreeMap<String, String>,
    wait_head_ms: Option<u64>,
    wait_first_ms: Option<u64>,
    wait_each_ms: Option<u64>,
    pieces_of: Option<usize>,
    cut_after: Option<usize>,
    garbage_after: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    id: String,
    name: String,
    #[serde(default)]
    input: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Block {
    Text {
        text: String,
    },
    Thinking {
        #[serde(default)]
        text: String,
        signature: Option<String>,
        redacted: Option<String>,
    },
    ToolCall {
        id: String,
        name: String,
        input: Option<Value>,
    },
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Tokens {
    input: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
}

impl Fields {
    fn answer(&self) -> Result<Answer, String> {
        let mut answer = say(self)?;
        let spoken = self.text.is_some() || self.call.is_some() || self.blocks.is_some();
        let of_model = self.stop.is_some() || self.usage.is_some() || self.no_usage || self.bad_input;
        if !spoken && (of_model || self.event_error.is_some()) {
            return Err(
                "`stop`, `usage`, `no_usage`, `bad_input` and `event_error` need `text`, `call` or `blocks`"
                    .to_owned(),
            );
        }
        if let Some(word) = &self.stop {
            answer = answer.stop(StopReason::named(word));
        }
        if let Some(Tokens { input, cache_read, cache_write, output }) = self.usage {
            answer = answer.usage(Usage { input, cache_read, cache_write, output, searches: 0 });
        }
        if self.no_usage {
            answer = answer.no_usage();
        }
        if self.bad_input {
            answer = answer.bad_input();
        }
        if let Some(kind) = self.event_error.clone() {
            answer = answer.event_error(kind);
        }
        Ok(self.paced(answer))
    }

    /// How it comes.
    fn paced(&self, mut answer: Answer) -> Answer {
        for (name, value) in &self.headers {
            answer = answer.header(name, value);
        }
        if let Some(wait) = self.wait_head_ms {
            answer = answer.wait_head(Duration::from_millis(wait));
        }
        if let Some(wait) = self.wait_first_ms {
            answer = answer.wait_first(Duration::from_millis(wait));
        }
        if let Some(wait) = self.wait_each_ms {
            answer = answer.wait_each(Duration::from_millis(wait));
        }
        if let Some(bytes) = self.pieces_of {
            answer = answer.pieces_of(bytes);
        }
        if let Some(events) = self.cut_after {
            answer = answer.cut_after(events);
        }
        if let Some(events) = self.garbage_after {
            answer = answer.garbage_after(events);
        }
        answer
    }
}

/// The answer without what comes on top of it.
fn say(fields: &Fields) -> Result<Answer, String> {
    let wants =
        "an answer needs exactly one of `text`, `call`, `blocks`, `error`, `html`, `raw`, or a `status`";
    let mut found: Vec<Answer> = Vec::new();
    found.extend(fields.text.as_deref().map(Answer::text));
    found.extend(
        fields.call.as_ref().map(|call| Answer::call(&call.id, &call.name, input(call.input.as_ref()))),
    );
    found.extend(fields.blocks.as_ref().map(|list| Answer::blocks(list.iter().map(block).collect())));
    found.extend(fields.error.clone().map(Answer::error));
    found.extend(fields.html.as_deref().map(|page| Answer::html(fields.status.unwrap_or(200), page)));
    if let Some(raw) = &fields.raw {
        let kind = fields.content_type.as_deref().unwrap_or("text/event-stream");
        found.push(Answer::raw(kind, raw.clone().into_bytes()));
    } else if fields.content_type.is_some() {
        return Err("`content_type` needs `raw`".to_owned());
    }
    if found.is_empty() {
        let body = fields.body.clone().unwrap_or_else(|| json!({}));
        return fields.status.map(|status| Answer::status(status, body)).ok_or_else(|| wants.to_owned());
    }
    if fields.body.is_some() || (fields.status.is_some() && fields.html.is_none()) {
        return Err(wants.to_owned());
    }
    match found.pop() {
        Some(answer) if found.is_empty() => Ok(answer),
        _ => Err(wants.to_owned()),
    }
}

fn block(block: &Block) -> ContentBlock {
    match block {
        Block::Text { text } => ContentBlock::Text { text: text.clone() },
        Block::Thinking { text, signature, redacted } => ContentBlock::Thinking(Thinking {
            text: text.clone(),
            signature: signature.clone(),
            redacted: redacted.clone(),
        }),
        Block::ToolCall { id, name, input: given } => ContentBlock::ToolCall(ToolCall {
            id: id.clone(),
            name: name.clone(),
            input: input(given.as_ref()),
        }),
    }
}

fn input(given: Option<&Value>) -> Value {
    given.cloned().unwrap_or_else(|| json!({}))
}
