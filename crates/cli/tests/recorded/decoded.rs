//! An answer through the decoder alone: as a stream, and as a document where it is one.

use serde_json::{Value, json};
use throughline_completion::{Answer, Assembly, CompletionEvent, StopReason};
use throughline_conversation::{ContentBlock, Message};
use throughline_wire::{AnswerStream, Wire, WireAnswer as _, WireError};

use crate::exchange::{Exchange, Kind};
use crate::facts::Facts;
use crate::{document, stream};

/// Bytes that arrive at a time.
const CHUNK: usize = 23;

/// How what is decoded differs from what was sent.
pub(crate) fn deviations(exchange: &Exchange) -> Vec<String> {
    if exchange.status >= 400 {
        // No decoder reads it; the turn shows what becomes of it.
        return Vec::new();
    }
    let document = match (&exchange.document, &exchange.body) {
        (Some(document), _) => Some(document.clone()),
        (None, Some(body)) => document::of(exchange.kind, body),
        (None, None) => None,
    };
    let Some(document) = document else { return vec!["no answer: the text holds no event".to_owned()] };
    let Some(sent) = Facts::of(exchange.kind, &document) else {
        return vec!["no answer: the document has none".to_owned()];
    };
    let body = exchange.body.clone().unwrap_or_else(|| stream::of(exchange.kind, &document));
    let mut decoder = decoder(exchange.kind);
    let mut events: Vec<_> = body.as_bytes().chunks(CHUNK).flat_map(|bytes| decoder.push(bytes)).collect();
    events.extend(decoder.finish());
    let mut found = compare(exchange.kind, &sent, events, "stream");
    if exchange.document.is_some() {
        if let Err(fault @ WireError::Shape { .. }) = Answer::from_wire(wire(exchange.kind), &document) {
            found.push(format!("document: {fault}"));
        }
        found.extend(compare(exchange.kind, &sent, self::decoder(exchange.kind).whole(document), "document"));
    }
    found
}

fn wire(kind: Kind) -> Wire {
    match kind {
        Kind::Anthropic => Wire::Anthropic,
        Kind::Chat => Wire::OpenAiChat,
        Kind::Responses => Wire::OpenAiResponses,
        Kind::Gemini => Wire::Gemini,
    }
}

fn decoder(kind: Kind) -> AnswerStream {
    match kind {
        Kind::Anthropic => AnswerStream::anthropic("c_", []),
        Kind::Chat => AnswerStream::openai_chat("c_", []),
        Kind::Responses => AnswerStream::openai_responses("c_", []),
        Kind::Gemini => AnswerStream::gemini("c_", []),
    }
}

fn compare(kind: Kind, sent: &Facts, events: throughline_wire::stream::Decoded, form: &str) -> Vec<String> {
    let mut assembly = Assembly::default();
    let mut found = Vec::new();
    for event in events {
        match event {
            Ok(CompletionEvent::Unknown(value)) => found.push(format!("{form}: unknown piece {value}")),
            Ok(event) => assembly.push(event),
            Err(error) => return vec![format!("{form}: error: {error}")],
        }
    }
    let Answer { message, stop, usage, .. } = assembly.finish().unwrap();
    let (refused, cut) = (stop == StopReason::Refusal, stop.is_cut_off());
    let read = Facts { usage, refused, cut, ..read(kind, &message) };
    found.extend(differences(sent, &read, form));
    found
}

/// The parts that differ, by name.
pub(crate) fn differences(sent: &Facts, read: &Facts, form: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut differ = |name: &str, sent: String, read: String| {
        if sent != read {
            found.push(format!("{form}: {name}: sent {sent}, read {read}"));
        }
    };
    differ("text", words(&sent.text), words(&read.text));
    differ("calls", format!("{:?}", sent.calls), format!("{:?}", with_ids_of(sent, read)));
    differ("reasoning", words(&sent.reasoning), words(&read.reasoning));
    differ("seals", format!("{:?}", sent.seals), format!("{:?}", read.seals));
    differ("items", format!("{:?}", sent.items), format!("{:?}", read.items));
    differ("citations", format!("{:?}", sent.cites), format!("{:?}", read.cites));
    differ("refusal", sent.refused.to_string(), read.refused.to_string());
    differ("cut", sent.cut.to_string(), read.cut.to_string());
    differ("usage", format!("{:?}", sent.usage), format!("{:?}", read.usage));
    found
}

/// The calls that were read. An id where none was sent is ours.
fn with_ids_of(sent: &Facts, read: &Facts) -> Vec<(String, String, Value)> {
    let sent = sent.calls.iter().map(|(id, ..)| id.is_empty()).chain(std::iter::repeat(false));
    let id = |ours: bool, id: &str| if ours { String::new() } else { id.to_owned() };
    read.calls
        .iter()
        .zip(sent)
        .map(|((own, name, input), ours)| (id(ours, own), name.clone(), input.clone()))
        .collect()
}

/// The text without the white space between its parts, which the APIs join in different ways.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("")
}

/// What the neutral message holds, in the form of [`Facts`].
fn read(kind: Kind, message: &Message) -> Facts {
    let mut facts = Facts::default();
    let items = message.content.iter().filter(|block| matches!(block, ContentBlock::Thinking(_)));
    let only_items = items.count() + 1 == message.content.len();
    for block in &message.content {
        match block {
            // A text that names the items of an answer without any text is ours.
            ContentBlock::Text { text } if only_items && text.starts_with("[the provider's own ") => {}
            ContentBlock::Text { text } => facts.text += text,
            ContentBlock::ToolCall(call) => {
                facts.calls.push((call.id.clone(), call.name.clone(), call.input.clone()));
            }
            ContentBlock::Thinking(thinking) => {
                if let Some(item) = thinking.item() {
                    facts.items.push(item);
                    continue;
                }
                if let (Some("citations"), Some(field)) = (thinking.signature.as_deref(), &thinking.redacted)
                {
                    let pieces: Vec<Value> = serde_json::from_str(field).unwrap();
                    let cited = pieces.iter().filter_map(|piece| piece["citations"].as_array());
                    facts.cites.extend(cited.flatten().cloned());
                    continue;
                }
                facts.reasoning += &thinking.text;
                let seal = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
                match (kind, &thinking.redacted) {
                    (Kind::Anthropic, None) => facts.seals.extend(seal(&thinking.signature)),
                    (Kind::Anthropic, redacted) => facts.seals.extend(seal(redacted)),
                    (Kind::Responses, redacted)
                        if thinking.signature.as_deref() != Some("output_message") =>
                    {
                        facts.seals.extend(seal(redacted));
                    }
                    (Kind::Gemini, Some(seal)) => {
                        facts.seals.push(serde_json::from_str(seal).unwrap());
                    }
                    (_, Some(native)) => facts.native(&serde_json::from_str(native).unwrap()),
                    (_, None) => {}
                }
            }
            other => panic!("no answer has {other:?}"),
        }
    }
    facts
}

impl Facts {
    /// What a server's own field holds.
    fn native(&mut self, field: &Value) {
        let parts = field.as_array().cloned().unwrap_or_else(|| vec![field.clone()]);
        for part in parts {
            let google = &part["google"]["thought_signature"];
            let seals = [&part["signature"], &part["data"], &part["phase"], google];
            self.seals.extend(seals.into_iter().filter_map(|seal| json!(seal).as_str().map(str::to_owned)));
        }
    }
}
