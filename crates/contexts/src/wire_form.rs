//! The form in which a context speaks to its caller.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_completion::CompletionRequest;
use throughline_conversation::{ContentBlock, Message, Transcript};
use throughline_engine::ModelInfo;
use throughline_wire::anthropic::AnthropicOptions;
use throughline_wire::gemini::GeminiOptions;
use throughline_wire::ollama::OllamaOptions;
use throughline_wire::openai::OpenAiOptions;
use throughline_wire::{ListedForm, Wire, WireOptions, WireRequest as _};

use crate::listed_items::{CallId, ListedPlace, RecordedIds};
use crate::words::{Object, object};

/// The API that the caller's client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WireForm {
    /// Anthropic's Messages API.
    #[default]
    Anthropic,
    /// OpenAI's Chat Completions API.
    OpenaiChat,
    /// OpenAI's Responses API.
    OpenaiResponses,
    /// Google's Gemini API.
    Gemini,
    /// Ollama's chat API.
    Ollama,
}

impl WireForm {
    /// The protocol.
    #[must_use]
    pub fn wire(self) -> Wire {
        match self {
            Self::Anthropic => Wire::Anthropic,
            Self::OpenaiChat => Wire::OpenAiChat,
            Self::OpenaiResponses => Wire::OpenAiResponses,
            Self::Gemini => Wire::Gemini,
            Self::Ollama => Wire::Ollama,
        }
    }

    /// The provider whose models speak it.
    pub(crate) fn provider(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenaiChat | Self::OpenaiResponses => "openai",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// The messages of a body.
    fn list(self) -> &'static str {
        match self {
            Self::Anthropic | Self::OpenaiChat | Self::Ollama => "messages",
            Self::OpenaiResponses => "input",
            Self::Gemini => "contents",
        }
    }
}

/// What a body depends on besides the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BodyOptions {
    /// Bodies ask for a stream.
    pub stream: bool,
    /// The server is not the provider's own: llama.cpp, vLLM, a gateway. For the two APIs of OpenAI.
    pub compatible: bool,
    /// Maximum tokens of thinking, for Anthropic and Gemini.
    pub thinking_tokens: Option<u64>,
}

/// Writes requests in the form of one context.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyWriter {
    pub(crate) form: WireForm,
    stream: bool,
    options: WireOptions,
}

impl BodyWriter {
    pub(crate) fn new(form: WireForm, options: BodyOptions, info: &ModelInfo) -> Self {
        let openai =
            || if options.compatible { OpenAiOptions::compatible() } else { OpenAiOptions::openai() };
        let thinking_budget = options.thinking_tokens;
        let wire = match form {
            WireForm::Anthropic => {
                WireOptions::Anthropic(AnthropicOptions { thinking_budget, ..AnthropicOptions::default() })
            }
            WireForm::OpenaiChat => WireOptions::OpenAiChat(openai()),
            WireForm::OpenaiResponses => WireOptions::OpenAiResponses(openai()),
            WireForm::Gemini => {
                WireOptions::Gemini(GeminiOptions { thinking_budget, ..GeminiOptions::default() })
            }
            WireForm::Ollama => WireOptions::Ollama(OllamaOptions { num_ctx: info.window }),
        };
        Self { form, stream: options.stream, options: wire }
    }

    pub(crate) fn body(&self, request: &CompletionRequest) -> Object {
        object(if self.stream { request.stream_body(self.options) } else { request.body(self.options) })
    }

    /// A side request: its answer is one text, so it is never streamed.
    pub(crate) fn side_body(&self, request: &CompletionRequest) -> Object {
        object(request.body(self.options))
    }

    /// A message that the engine has made, as items of a list.
    pub(crate) fn items(&self, message: Message, of: &CompletionRequest) -> Vec<Object> {
        self.written([message], of).into_iter().map(object).collect()
    }

    /// Messages of the caller's list, of which the engine has changed at least one, as items of that list: for `places`, with their ids
    /// and in their form. Results are in the order of the list, those of Gemini in the order of their calls.
    pub(crate) fn changed_items(
        &self,
        mut messages: Vec<Message>,
        places: &[ListedPlace],
        recorded: &RecordedIds,
        of: &CompletionRequest,
    ) -> Vec<Object> {
        let ids: Vec<&CallId> = places.iter().flat_map(|place| &place.ids).collect();
        // A result of Gemini has the name of its tool, which only the message with the calls says.
        let calling = of.transcript.messages().rev().filter(|_| self.form == WireForm::Gemini);
        let calling =
            calling.filter(|calling| answers(&messages, calling)).take(1).cloned().collect::<Vec<_>>();
        for message in messages.iter_mut().filter(|_| self.form != WireForm::Gemini) {
            message.content.sort_by_key(|block| match block {
                ContentBlock::ToolResult(result) => {
                    let own = recorded.own(&result.call_id);
                    ids.iter().position(|id| id.own == own)
                }
                _ => None,
            });
        }
        let given: Vec<String> = given_ids(&messages, &ids, recorded).map(str::to_owned).collect();
        let front = calling.len();
        let mut items = self.written(calling.into_iter().chain(messages), of);
        let items = items.get_mut(front..).unwrap_or_default();
        self.form.wire().set_call_ids(items, given.iter().map(String::as_str));
        let are_paired = places.len() == items.len();
        let forms = places.iter().filter(|_| are_paired).map(|place| Some(&place.form));
        let forms = forms.chain(std::iter::repeat(None));
        items.iter_mut().zip(forms).map(|(item, form)| in_form(object(item.take()), form)).collect()
    }

    fn written(&self, messages: impl IntoIterator<Item = Message>, of: &CompletionRequest) -> Vec<Value> {
        let alone = CompletionRequest {
            transcript: Transcript::from_messages(messages),
            tail: Vec::new(),
            breakpoints: Vec::new(),
            system: std::sync::Arc::new([]),
            tools: std::sync::Arc::new([]),
            ..of.clone()
        };
        match object(alone.body(self.options)).remove(self.form.list()) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        }
    }
}

/// An encoded item in the form that it has in the caller's list.
fn in_form(mut item: Object, form: Option<&ListedForm>) -> Object {
    let Some(ListedForm::Output(fields)) = form else { return item };
    let output = item.remove_entry("output");
    fields.clone().into_iter().chain(output).collect()
}

/// Returns true if one of the messages has a result of a call of the other one.
fn answers(messages: &[Message], calling: &Message) -> bool {
    let is_called = |id: &str| calling.tool_calls().any(|call| call.id == id);
    messages.iter().flat_map(Message::tool_results).any(|result| is_called(&result.call_id))
}

/// The ids that calls and results of messages have in the caller's list.
fn given_ids<'a>(
    messages: &'a [Message],
    ids: &'a [&CallId],
    recorded: &'a RecordedIds,
) -> impl Iterator<Item = &'a str> {
    let found = messages.iter().flat_map(|message| &message.content).filter_map(|block| match block {
        ContentBlock::ToolCall(call) => Some(call.id.as_str()),
        ContentBlock::ToolResult(result) => Some(result.call_id.as_str()),
        _ => None,
    });
    found.map(|id| {
        let own = recorded.own(id);
        ids.iter().find(|id| id.own == own).map_or(own, |id| id.given.as_str())
    })
}
