//! Forms of a request that not every server of Chat Completions takes.

use throughline_completion::{EventStream, ModelError};
use throughline_wire::openai::{CallIdForm, MaxTokensField, OpenAiOptions};

use crate::http::{Refusable, names, refuses_some};

/// Families whose servers take ids of nine letters alone, and no message of the user right behind results.
const MISTRAL: &[&str] =
    &["mistral", "mixtral", "ministral", "codestral", "devstral", "magistral", "pixtral"];

/// The forms, and whether a server has refused them.
#[derive(Debug)]
pub(super) struct Refusals {
    /// Ids as the server wrote them.
    given_ids: Refusable,
    /// Ids of more or less than nine letters.
    long_ids: Refusable,
    /// The older name of the maximum of the answer's tokens. Servers that pass requests on to OpenAI's reasoning models refuse it.
    max_tokens: Refusable,
    stream_usage: Refusable,
    cache_control: Refusable,
    system_role: Refusable,
    null_content: Refusable,
    user_after_results: Refusable,
}

impl Refusals {
    /// Nothing is refused so far.
    pub(super) fn new() -> Self {
        Self {
            given_ids: Refusable::new(|error| refuses_ids(error) && !asks_for_nine(error)),
            long_ids: Refusable::new(|error| refuses_ids(error) && asks_for_nine(error)),
            max_tokens: Refusable::new(|error| {
                names(error, &["max_completion_tokens"])
                    || names(error, &["max_tokens"])
                        && names(error, &["nrecognized", "nknown", "extra_forbidden"])
            }),
            stream_usage: Refusable::new(|error| names(error, &["stream_options"])),
            cache_control: Refusable::new(|error| names(error, &["cache_control"])),
            system_role: Refusable::new(|error| refuses_system(&words(error))),
            null_content: Refusable::new(|error| refuses_null(&words(error))),
            user_after_results: Refusable::new(|error| refuses_order(&words(error))),
        }
    }

    /// The options without what the server has refused. Of a model of this name some is known.
    pub(super) fn options_now(&self, options: OpenAiOptions, model: &str) -> OpenAiOptions {
        let name = model.to_ascii_lowercase();
        let is_mistral = MISTRAL.iter().any(|family| name.contains(family));
        let call_ids = match options.call_ids {
            _ if is_mistral || !self.long_ids.is_taken() => CallIdForm::NineLetters,
            _ if !self.given_ids.is_taken() => CallIdForm::Plain,
            form => form,
        };
        let max_tokens_field = match self.max_tokens.is_taken() {
            true => options.max_tokens_field,
            false => MaxTokensField::MaxCompletionTokens,
        };
        OpenAiOptions {
            call_ids,
            max_tokens_field,
            stream_usage: options.stream_usage && self.stream_usage.is_taken(),
            cache_control: options.cache_control && self.cache_control.is_taken(),
            system_role: options.system_role && self.system_role.is_taken(),
            null_content: options.null_content && self.null_content.is_taken(),
            user_after_results: options.user_after_results
                && !is_mistral
                && self.user_after_results.is_taken(),
            ..options
        }
    }

    /// Returns true if the server refused a form: the request is to be sent again without it.
    pub(super) fn refuses_some(
        &self,
        options: OpenAiOptions,
        sent: &Result<EventStream, ModelError>,
    ) -> bool {
        let mut asked = vec![
            &self.given_ids,
            &self.long_ids,
            &self.stream_usage,
            &self.cache_control,
            &self.system_role,
            &self.null_content,
            &self.user_after_results,
        ];
        if options.max_tokens_field == MaxTokensField::MaxTokens {
            asked.push(&self.max_tokens);
        }
        refuses_some(&asked, sent)
    }
}

/// Returns true if a server does not take the form of a call's id.
fn refuses_ids(error: &ModelError) -> bool {
    let ModelError::InvalidRequest { message } = error else { return false };
    let lower = message.to_ascii_lowercase();
    has(&lower, &["tool call id", "tool_call_id", "tool_calls", "call id"])
        && has(&lower, &["must be a-z", "must match", "pattern", "characters", "a-z", "length"])
}

fn asks_for_nine(error: &ModelError) -> bool {
    names(error, &["length of 9", "9 characters", "nine characters"])
}

/// The words of a refusal in lower case; of others an empty text. Servers that fail while they fill in the model's template say so
/// with a status of a fault of their own (llama.cpp).
fn words(error: &ModelError) -> String {
    match error {
        ModelError::InvalidRequest { message } | ModelError::Unavailable { message, .. } => {
            message.to_ascii_lowercase()
        }
        _ => String::new(),
    }
}

/// The template of Gemma 2, OpenAI's o1-mini, Google of Gemma 3.
fn refuses_system(words: &str) -> bool {
    let named = has(words, &["system role", "'system'", "\"system\"", "system message"])
        && has(words, &["not support", "unsupported", "unexpected", "not allowed"]);
    named || words.contains("developer instruction is not enabled")
}

fn refuses_null(words: &str) -> bool {
    words.contains("content") && has(words, &["null", "nonetype", "valid string", "a string"])
}

/// Mistral, and templates for which results are no turn of the user.
fn refuses_order(words: &str) -> bool {
    has(words, &["role 'user' after role 'tool'", "roles must alternate"])
}

fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|words| text.contains(words))
}
