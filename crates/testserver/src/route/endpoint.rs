//! The paths that the server knows.

use crate::http::Head;
use crate::wire::Protocol;

/// What a path is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// A model is asked for something: takes an answer of the script.
    Generate,
    /// The Responses API is asked for a compaction: takes an answer of the script.
    Compact,
    CountMessages,
    CountInput,
    /// Of Gemini's contents.
    CountContents,
    Models,
    Model(String),
    Tags,
    Show,
    Pull,
    Version,
    Root,
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    Endpoint(Endpoint, Protocol),
    /// Something, with this method only.
    OtherMethod(Protocol, &'static str),
    Nothing(Protocol),
}

impl Endpoint {
    /// Returns true if a missing model is an error.
    pub(super) fn names_model(&self) -> bool {
        matches!(
            self,
            Self::Generate | Self::Compact | Self::CountMessages | Self::CountInput | Self::CountContents
        )
    }
}

/// The model and the method of a path of the Gemini API.
pub(super) fn gemini(path: &str) -> Option<(&str, Option<&str>)> {
    let name = path.strip_prefix("/v1beta/models/").filter(|name| !name.is_empty())?;
    Some(match name.rsplit_once(':') {
        Some((name, method)) => (name, Some(method)),
        None => (name, None),
    })
}

/// What the request asks for.
pub(super) fn find(head: &Head) -> Found {
    let versioned = head.header("anthropic-version").is_some();
    let either = if versioned { Protocol::Anthropic } else { Protocol::Chat };
    let (endpoint, protocol, allowed) = match head.path.as_str() {
        "/v1/messages" => (Endpoint::Generate, Protocol::Anthropic, "POST"),
        "/v1/messages/count_tokens" => (Endpoint::CountMessages, Protocol::Anthropic, "POST"),
        "/v1/chat/completions" => (Endpoint::Generate, Protocol::Chat, "POST"),
        "/v1/responses" => (Endpoint::Generate, Protocol::Responses, "POST"),
        "/v1/responses/compact" => (Endpoint::Compact, Protocol::Responses, "POST"),
        "/v1/responses/input_tokens" => (Endpoint::CountInput, Protocol::Responses, "POST"),
        "/v1beta/models" => (Endpoint::Models, Protocol::Gemini, "GET"),
        "/v1internal:generateContent" | "/v1internal:streamGenerateContent" => {
            (Endpoint::Generate, Protocol::CodeAssist, "POST")
        }
        "/v1/models" => (Endpoint::Models, either, "GET"),
        "/api/chat" => (Endpoint::Generate, Protocol::Ollama, "POST"),
        "/api/show" => (Endpoint::Show, Protocol::Ollama, "POST"),
        "/api/pull" => (Endpoint::Pull, Protocol::Ollama, "POST"),
        "/api/tags" => (Endpoint::Tags, Protocol::Ollama, "GET"),
        "/api/version" => (Endpoint::Version, Protocol::Ollama, "GET"),
        "/" => (Endpoint::Root, Protocol::Ollama, "GET"),
        path if path.starts_with("/v1beta/") => match gemini(path) {
            Some((_, Some("generateContent" | "streamGenerateContent"))) => {
                (Endpoint::Generate, Protocol::Gemini, "POST")
            }
            Some((_, Some("countTokens"))) => (Endpoint::CountContents, Protocol::Gemini, "POST"),
            Some((name, None)) => (Endpoint::Model(name.to_owned()), Protocol::Gemini, "GET"),
            _ => return Found::Nothing(Protocol::Gemini),
        },
        path => match path.strip_prefix("/v1/models/").filter(|name| !name.is_empty()) {
            Some(name) => (Endpoint::Model(name.to_owned()), either, "GET"),
            None if path.starts_with("/api/") => return Found::Nothing(Protocol::Ollama),
            None => return Found::Nothing(either),
        },
    };
    let head_of_get = head.method == "HEAD" && allowed == "GET";
    if head.method == allowed || head_of_get {
        Found::Endpoint(endpoint, protocol)
    } else {
        Found::OtherMethod(protocol, allowed)
    }
}
