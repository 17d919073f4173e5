//! The bodies of a request on all wires, and when one extends another.

use serde_json::{Value, json};
use throughline_completion::CompletionRequest;
use throughline_testserver::Demand;
use throughline_wire::gemini::{self, GeminiOptions};
use throughline_wire::openai::{OpenAiOptions, ThinkingBack};
use throughline_wire::{anthropic, ollama, openai_chat, openai_responses, validate};

/// A way to write a request, its judge, and the pieces of its conversation in order.
pub(crate) struct Wire {
    pub(crate) name: &'static str,
    pub(crate) encode: fn(&CompletionRequest) -> Value,
    pub(crate) judge: fn(&Value) -> Vec<validate::WireFault>,
    /// Where the conversation is; all else is the head.
    list: &'static str,
    /// What of the head may come and go: the API refuses it for some requests.
    fickle: &'static [&'static str],
}

pub(crate) const WIRES: [Wire; 8] = [
    wire("anthropic", anthropic::encode, validate::anthropic),
    // In the middle of a tool loop that began without thinking there may be none.
    Wire { fickle: &["thinking"], ..wire("anthropic with thinking", thinking_body, validate::anthropic) },
    wire("openai chat", chat_body, validate::openai_chat),
    wire("compatible chat", compatible_body, validate::openai_chat),
    wire("chat that wants thinking back", demanding_body, |body| Demand::Thinking.faults(body)),
    Wire { list: "input", ..wire("openai responses", responses_body, validate::openai_responses) },
    Wire { list: "contents", ..wire("gemini", gemini_body, |body| validate::gemini(GEMINI, body)) },
    wire("ollama", ollama_body, validate::ollama),
];

/// A model that signs its calls.
const GEMINI: &str = "gemini-3.5-flash";

const fn wire(
    name: &'static str,
    encode: fn(&CompletionRequest) -> Value,
    judge: fn(&Value) -> Vec<validate::WireFault>,
) -> Wire {
    Wire { name, encode, judge, list: "messages", fickle: &[] }
}

fn thinking_body(request: &CompletionRequest) -> Value {
    let options = anthropic::AnthropicOptions {
        thinking_budget: Some(1_024),
        ..anthropic::AnthropicOptions::default()
    };
    anthropic::encode_with(request, &options)
}

fn chat_body(request: &CompletionRequest) -> Value {
    openai_chat::encode(request, OpenAiOptions::openai())
}

fn responses_body(request: &CompletionRequest) -> Value {
    openai_responses::encode(request, OpenAiOptions::openai())
}

fn compatible_body(request: &CompletionRequest) -> Value {
    openai_chat::encode(request, OpenAiOptions::compatible())
}

fn demanding_body(request: &CompletionRequest) -> Value {
    let thinking_back = ThinkingBack::Always;
    let options = OpenAiOptions { thinking_back, ..OpenAiOptions::compatible() };
    openai_chat::encode(request, options)
}

fn gemini_body(request: &CompletionRequest) -> Value {
    gemini::encode(request, &GeminiOptions { signed_calls: Some(true), ..GeminiOptions::default() })
}

fn ollama_body(request: &CompletionRequest) -> Value {
    ollama::encode(request, 8_192)
}

impl Wire {
    /// Returns true if the body of `later` begins with that of `earlier`: the same head, and the conversation continues where it
    /// ended.
    ///
    /// Two parts are left out, as they belong to one request: markers, and the tail. The tail is the one exception from
    /// the law that a body begins with all of the one before: its notes stand behind the conversation, are gone in the
    /// next request, and where they stood is behind every marker.
    pub(crate) fn extends(
        &self,
        earlier: &CompletionRequest,
        later: &CompletionRequest,
    ) -> Result<(), String> {
        let (earlier, later) = (self.bare(earlier), self.bare(later));
        let head = |body: &Value| {
            let mut head = body.clone();
            if let Some(fields) = head.as_object_mut() {
                fields.retain(|name, _| name != self.list && !self.fickle.contains(&name.as_str()));
            }
            head.to_string()
        };
        if head(&earlier) != head(&later) {
            return Err(format!("{}: another head", self.name));
        }
        let (earlier, later) = (pieces(earlier.get(self.list)), pieces(later.get(self.list)));
        if is_start(&earlier, &later) {
            Ok(())
        } else {
            Err(format!("{}: {earlier:?}\n{later:?}", self.name))
        }
    }

    fn bare(&self, request: &CompletionRequest) -> Value {
        (self.encode)(&CompletionRequest { tail: Vec::new(), breakpoints: Vec::new(), ..request.clone() })
    }
}

/// Roles and parts of a conversation, one after the other, so that a message that grew at its end is a longer list.
fn pieces(list: Option<&Value>) -> Vec<Value> {
    let mut pieces = Vec::new();
    for message in list.and_then(Value::as_array).into_iter().flatten() {
        let mut rest = message.clone();
        // Gemini's name of it.
        let content = rest
            .as_object_mut()
            .and_then(|fields| fields.remove("content").or_else(|| fields.remove("parts")));
        match content {
            Some(Value::Array(parts)) => {
                pieces.extend(parts.into_iter().map(|part| json!([message.get("role"), part])));
            }
            Some(text) => pieces.push(json!([message.get("role"), text, rest])),
            None => pieces.push(rest),
        }
    }
    pieces
}

/// A plain text of the user's side may have grown at its end: what one side says in a row is one message.
fn is_start(earlier: &[Value], later: &[Value]) -> bool {
    let Some((last, before)) = earlier.split_last() else { return true };
    let Some(grown) = later.get(before.len()) else { return false };
    let text = |piece: &Value| piece.get(1).and_then(Value::as_str).map(str::to_owned);
    let longer = match (text(last), text(grown)) {
        (Some(short), Some(long)) => last.get(0) == grown.get(0) && long.starts_with(&short),
        _ => false,
    };
    later.starts_with(before) && (last == grown || longer)
}
