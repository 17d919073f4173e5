//! What an answer holds that may not be lost, read from the provider's own form of it.

use serde_json::{Value, json};
use throughline_conversation::Usage;

use crate::exchange::Kind;

/// The parts of an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Facts {
    /// Text and refusals.
    pub(crate) text: String,
    /// Calls of tools: id, name and arguments.
    pub(crate) calls: Vec<(String, String, Value)>,
    /// Reasoning that can be read.
    pub(crate) reasoning: String,
    /// Reasoning that the API takes no part of back.
    pub(crate) unsigned: bool,
    /// Signatures, sealed reasoning, and phases of messages.
    pub(crate) seals: Vec<String>,
    /// What the provider's own tools did.
    pub(crate) items: Vec<Value>,
    /// What the texts cite.
    pub(crate) cites: Vec<Value>,
    /// The model refused.
    pub(crate) refused: bool,
    /// The answer reached the limit of output tokens.
    pub(crate) cut: bool,
    /// Tokens of the prompt that were neither read from nor written to the cache, those that were, and of the answer; and
    /// searches of the web that are charged.
    pub(crate) usage: Option<Usage>,
}

impl Facts {
    /// Of an answer; `None` if the document is no answer of this API.
    pub(crate) fn of(kind: Kind, document: &Value) -> Option<Self> {
        let mut facts = Self::default();
        match kind {
            Kind::Anthropic => facts.anthropic(document["content"].as_array()?, document),
            Kind::Chat => facts.chat(document["choices"].as_array()?.first()?, document),
            Kind::Responses => {
                facts.items(document["output"].as_array()?);
                let is_charged = |item: &&Value| {
                    item["type"] == "web_search_call"
                        && [json!("search"), Value::Null].contains(&item["action"]["type"])
                };
                let searches = document["output"].as_array()?.iter().filter(is_charged).count() as u64;
                facts.usage =
                    counted(&document["usage"], "input", "output").map(|usage| Usage { searches, ..usage });
                facts.cut = document["incomplete_details"]["reason"] == "max_output_tokens";
            }
            Kind::Gemini => {
                facts.candidate(document["candidates"].as_array()?.first()?);
                let searches = searched_by_google(document);
                facts.usage =
                    counted_by_google(&document["usageMetadata"]).map(|usage| Usage { searches, ..usage });
            }
        }
        Some(facts)
    }

    /// Of what a request sends back of the answer before it: what the model says in it behind the user's first message.
    pub(crate) fn sent_back(kind: Kind, body: &Value) -> Self {
        let mut facts = Self::default();
        match kind {
            Kind::Anthropic => {
                for message in said_first(&body["messages"]) {
                    facts.anthropic(message["content"].as_array().unwrap(), &Value::Null);
                }
            }
            Kind::Chat => {
                for message in said_first(&body["messages"]) {
                    facts.chat(&json!({"message": message}), &Value::Null);
                }
            }
            Kind::Responses => {
                let all: Vec<Value> = said_first(&body["input"]).cloned().collect();
                facts.items(&all);
            }
            Kind::Gemini => {
                for content in said_first(&body["contents"]) {
                    facts.parts(content["parts"].as_array().unwrap());
                }
                // Sent in place of a signature that is missing.
                facts.seals.retain(|seal| seal != "skip_thought_signature_validator");
            }
        }
        facts
    }

    /// What of the answer can be a part of a request.
    pub(crate) fn returnable(&self) -> Self {
        let source = |item: &Value| SOURCES.iter().any(|name| item.get(name).is_some());
        // Anthropic takes no result of a call that the conversation does not have.
        let orphan = |item: &Value| {
            let is_call = |other: &Value| other["id"] == item["tool_use_id"];
            item["tool_use_id"].is_string() && !self.items.iter().any(is_call)
        };
        let items = self.items.iter().filter(|item| !source(item) && !orphan(item)).cloned().collect();
        let reasoning = if self.unsigned { String::new() } else { self.reasoning.clone() };
        Self { items, reasoning, ..self.clone() }
    }

    fn candidate(&mut self, candidate: &Value) {
        self.parts(candidate["content"]["parts"].as_array().map_or(&[], Vec::as_slice));
        let facts = SOURCES.iter().filter_map(|name| Some((name, candidate.get(name)?)));
        let known = facts.filter(|(_, fact)| fact.as_object().is_some_and(|fact| !fact.is_empty()));
        self.items.extend(known.map(|(name, fact)| json!({*name: fact})));
        let reason = string(&candidate["finishReason"]);
        self.refused = ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"]
            .contains(&reason);
        self.cut = reason == "MAX_TOKENS";
    }

    fn parts(&mut self, parts: &[Value]) {
        for part in parts {
            let call = &part["functionCall"];
            if call.is_object() {
                self.seal(&part["thoughtSignature"]);
                self.call(&call["id"], &call["name"], call.get("args").cloned().unwrap_or_else(|| json!({})));
            } else if let Some(text) = part["text"].as_str() {
                self.seal(&part["thoughtSignature"]);
                if part["thought"] == true {
                    self.unsigned |= part["thoughtSignature"].is_null();
                    self.reasoning += text;
                } else {
                    self.text += text;
                }
            } else {
                self.items.push(part.clone());
            }
        }
    }

    fn anthropic(&mut self, blocks: &[Value], document: &Value) {
        for (at, block) in blocks.iter().enumerate() {
            match block["type"].as_str().unwrap_or_default() {
                "text" => {
                    let continues = at > 0 && blocks[at - 1]["type"] == "text";
                    self.say(&block["text"], if continues { "" } else { "\n" });
                    self.cites.extend(block["citations"].as_array().into_iter().flatten().cloned());
                }
                "thinking" => {
                    self.reasoning += string(&block["thinking"]);
                    self.seal(&block["signature"]);
                }
                "redacted_thinking" => self.seal(&block["data"]),
                "tool_use" => self.call(&block["id"], &block["name"], block["input"].clone()),
                _ => self.items.push(without(block, "cache_control")),
            }
        }
        self.refused = document["stop_reason"] == "refusal";
        self.cut = document["stop_reason"] == "max_tokens";
        let usage = &document["usage"];
        let figure = |name: &str| usage[name].as_u64().unwrap_or(0);
        self.usage = usage.is_object().then(|| Usage {
            input: figure("input_tokens"),
            cache_read: figure("cache_read_input_tokens"),
            cache_write: figure("cache_creation_input_tokens"),
            output: figure("output_tokens"),
            searches: usage["server_tool_use"]["web_search_requests"].as_u64().unwrap_or(0),
        });
    }

    fn chat(&mut self, choice: &Value, document: &Value) {
        let message = &choice["message"];
        match &message["content"] {
            Value::Array(parts) => {
                for part in parts {
                    match part["type"].as_str().unwrap_or_default() {
                        "text" => self.text += string(&part["text"]),
                        "thinking" => self.thinking(&part["thinking"]),
                        _ => self.items.push(part.clone()),
                    }
                }
            }
            content => self.text += string(content),
        }
        let refusal = string(&message["refusal"]);
        self.text += refusal;
        self.cut = choice["finish_reason"] == "length";
        self.refused = !refusal.is_empty() || choice["finish_reason"] == "content_filter";
        let named = ["reasoning_content", "reasoning"].into_iter().map(|name| string(&message[name]));
        self.reasoning += named.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        for detail in message["reasoning_details"].as_array().into_iter().flatten() {
            self.seal(&detail["signature"]);
            self.seal(&detail["data"]);
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            self.seal(&call["extra_content"]["google"]["thought_signature"]);
            self.call(&call["id"], &call["function"]["name"], arguments(&call["function"]["arguments"]));
        }
        self.text += string(&message["audio"]["transcript"]);
        self.items.extend(message["images"].as_array().into_iter().flatten().cloned());
        self.usage = counted(&document["usage"], "prompt", "completion");
    }

    fn items(&mut self, items: &[Value]) {
        for item in items {
            match item["type"].as_str().unwrap_or_default() {
                "message" => {
                    self.say(&Value::Null, "\n");
                    for part in item["content"].as_array().into_iter().flatten() {
                        self.text += string(&part["text"]);
                        self.text += string(&part["refusal"]);
                        self.refused |= part["type"] == "refusal";
                    }
                    self.seal(&item["phase"]);
                }
                "function_call" => {
                    self.call(&item["call_id"], &item["name"], arguments(&item["arguments"]));
                }
                "reasoning" => {
                    for part in ["summary", "content"].iter().flat_map(|name| item[name].as_array()).flatten()
                    {
                        self.reasoning += string(&part["text"]);
                    }
                    self.seal(&item["encrypted_content"]);
                    self.seal(&item["signature"]);
                }
                _ => self.items.push(item.clone()),
            }
        }
    }

    /// Mistral's thinking: a text, or parts of it.
    fn thinking(&mut self, thinking: &Value) {
        for part in thinking.as_array().into_iter().flatten() {
            self.reasoning += string(&part["text"]);
        }
        self.reasoning += string(thinking);
    }

    /// More text, separated from what is before it by this.
    fn say(&mut self, text: &Value, glue: &str) {
        if !self.text.is_empty() {
            self.text += glue;
        }
        self.text += string(text);
    }

    fn seal(&mut self, seal: &Value) {
        self.seals.extend(seal.as_str().filter(|seal| !seal.is_empty()).map(str::to_owned));
    }

    fn call(&mut self, id: &Value, name: &Value, input: Value) {
        self.calls.push((string(id).to_owned(), string(name).to_owned(), input));
    }
}

/// What a candidate of Google says about its sources; requests have no field for it.
const SOURCES: &[&str] = &["groundingMetadata", "citationMetadata", "urlContextMetadata"];

/// Google's report: the prompt counts what was read from the cache, and thinking is apart from the answer.
fn counted_by_google(usage: &Value) -> Option<Usage> {
    let figure = |name: &str| usage[name].as_u64().unwrap_or(0);
    let prompt = usage["promptTokenCount"].as_u64()?;
    let cache_read = figure("cachedContentTokenCount").min(prompt);
    let output = figure("candidatesTokenCount") + figure("thoughtsTokenCount");
    Some(Usage { input: prompt - cache_read, cache_read, cache_write: 0, output, searches: 0 })
}

/// What Google charges: each query from Gemini 3 on, before it one for an answer.
fn searched_by_google(document: &Value) -> u64 {
    let candidate = &document["candidates"][0];
    let count = |list: &Value| list.as_array().map_or(0, Vec::len) as u64;
    let parts = candidate["content"]["parts"].as_array().into_iter().flatten();
    let calls = parts
        .map(|part| &part["toolCall"])
        .filter(|call| string(&call["toolType"]).starts_with("GOOGLE_SEARCH"));
    let called = calls.map(|call| count(&call["args"]["queries"]).max(1)).sum();
    let queries = match count(&candidate["groundingMetadata"]["webSearchQueries"]) {
        0 => called,
        named => named,
    };
    let by_answer =
        ["gemini-1", "gemini-2"].iter().any(|name| string(&document["modelVersion"]).starts_with(name));
    if by_answer { queries.min(1) } else { queries }
}

/// The model's items behind the first of the user's, up to the next of the user's.
fn said_first(list: &Value) -> impl Iterator<Item = &Value> {
    let is_users = |item: &&Value| {
        ["user", "system", "developer", "tool"].contains(&string(&item["role"]))
            || item["type"] == "function_call_output"
    };
    let all = list.as_array().unwrap().iter().skip_while(is_users);
    all.take_while(move |item| !is_users(item))
}

fn arguments(text: &Value) -> Value {
    match text.as_str() {
        None => text.clone(),
        Some("") => json!({}),
        Some(text) => serde_json::from_str(text).unwrap_or_else(|_| json!({"invalid_json": text})),
    }
}

/// OpenAI's report: the prompt counts what was read from the cache and written to it, too.
fn counted(usage: &Value, input: &str, output: &str) -> Option<Usage> {
    let prompt = usage[format!("{input}_tokens")].as_u64()?;
    let details = &usage[format!("{input}_tokens_details")];
    let cache_read = details["cached_tokens"].as_u64().unwrap_or(0).min(prompt);
    let cache_write = details["cache_write_tokens"].as_u64().unwrap_or(0).min(prompt - cache_read);
    let output = usage[format!("{output}_tokens")].as_u64().unwrap_or(0);
    Some(Usage { input: prompt - cache_read - cache_write, cache_read, cache_write, output, searches: 0 })
}

fn without(value: &Value, field: &str) -> Value {
    let mut value = value.clone();
    if let Some(fields) = value.as_object_mut() {
        fields.remove(field);
    }
    value
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
