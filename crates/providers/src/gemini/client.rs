//! Google's models over the network.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_completion::{CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo};
use throughline_conversation::{Message, ServerAddress};
use throughline_wire::AnswerStream;
use throughline_wire::gemini::{GeminiOptions, encode};
use throughline_wire::stream::answer_prefix;
use throughline_wire::validate::gemini;

use crate::http::{
    Endpoint, HttpRequest, Key, RefusedTools, Transport, counted, json as answered, open, valid,
};

const PROVIDER: &str = "gemini";
const CODE_ASSIST: &str = "gemini_gca";

/// A model of Google behind the Gemini API, or behind Gemini Code Assist.
///
/// Each request is sent once, but for tools that the server refuses, and only when [`validate::gemini`](throughline_wire::validate::gemini) finds no fault in its body.
#[derive(Debug)]
pub struct GeminiModel {
    info: ModelInfo,
    endpoint: Endpoint,
    transport: Arc<dyn Transport>,
    options: GeminiOptions,
    code_assist: Option<CodeAssist>,
    tools: RefusedTools,
}

/// Access by Gemini Code Assist, for accounts that log in instead of having a key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeAssist {
    /// The project of Google Cloud that is charged; accounts of single users have none.
    pub project: Option<String>,
}

impl GeminiModel {
    /// The model that `info` names, at an address whose path may end with `/v1beta` or not. The key is sent as
    /// `x-goog-api-key`.
    #[must_use]
    pub fn new(info: ModelInfo, endpoint: Endpoint, transport: Arc<dyn Transport>) -> Self {
        let options =
            GeminiOptions { web_search: Some(info.web_search), ..GeminiOptions::for_model(&info.name) };
        Self { info, endpoint, transport, options, code_assist: None, tools: RefusedTools::default() }
    }

    /// The same by Code Assist. The key is an OAuth access token and is sent as `Authorization: Bearer`.
    #[must_use]
    pub fn with_code_assist(mut self, code_assist: CodeAssist) -> Self {
        self.code_assist = Some(code_assist);
        self
    }

    /// The same with thinking; see [`GeminiOptions::thinking_budget`].
    #[must_use]
    pub fn with_thinking(mut self, budget_tokens: u64) -> Self {
        self.options.thinking_budget = Some(budget_tokens);
        self
    }

    /// A body without faults.
    fn body(&self, request: &CompletionRequest) -> Result<Value, ModelError> {
        let body = encode(&self.tools.without(request), &self.options);
        valid(PROVIDER, &gemini(&self.info.name, &body))?;
        Ok(body)
    }

    async fn send(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let http = self.http("streamGenerateContent", "?alt=sse", self.body(request)?);
        let taken = request.transcript.messages().flat_map(Message::tool_calls).map(|call| call.id.clone());
        let (provider, decoder) = match self.code_assist {
            None => (PROVIDER, AnswerStream::gemini(answer_prefix(), taken)),
            Some(_) => (CODE_ASSIST, AnswerStream::gemini_gca(answer_prefix(), taken)),
        };
        open(provider, self.transport.as_ref(), &self.endpoint, http, decoder).await
    }

    fn name(&self) -> &str {
        self.info.name.strip_prefix("models/").unwrap_or(&self.info.name)
    }

    /// The request that posts a body to a method of the model.
    fn http(&self, method: &str, query: &str, body: Value) -> HttpRequest {
        let mut headers = vec![("content-type".to_owned(), Key::new("application/json"))];
        let (url, body) = match &self.code_assist {
            None => {
                headers.extend(key_header(&self.endpoint));
                let path = format!("/models/{}:{method}{query}", self.name());
                (self.endpoint.url("/v1beta", &path), body)
            }
            Some(service) => {
                headers.extend(self.endpoint.bearer());
                let mut envelope = json!({"model": self.name()});
                if let (Some(fields), Some(project)) = (envelope.as_object_mut(), &service.project) {
                    fields.insert("project".to_owned(), json!(project));
                }
                if let Some(fields) = envelope.as_object_mut() {
                    fields.insert("request".to_owned(), body);
                }
                (format!("{}/v1internal:{method}{query}", self.endpoint.base_url), envelope)
            }
        };
        // Last, so that a gateway's own win.
        headers.extend(self.endpoint.headers.iter().cloned());
        HttpRequest { url, headers, body: body.to_string().into() }
    }
}

/// The header with the key.
fn key_header(endpoint: &Endpoint) -> Option<(String, Key)> {
    endpoint.key.as_ref().map(|key| ("x-goog-api-key".to_owned(), key.clone()))
}

/// The names of the models that the API serves and that answer, in its order. Proves that the address and the key are
/// good, and costs nothing.
///
/// # Errors
/// As for a request: [`ModelError::Unavailable`] when nothing answers, [`ModelError::Unauthorized`] for a key that is
/// refused, [`ModelError::InvalidRequest`] when what answers is no such API.
pub async fn served_models(
    endpoint: &Endpoint,
    transport: &dyn Transport,
) -> Result<Vec<String>, ModelError> {
    let mut headers: Vec<(String, Key)> = key_header(endpoint).into_iter().collect();
    headers.extend(endpoint.headers.iter().cloned());
    // One page holds all of them: the API returns 50 by default, and 1,000 at most.
    let request = HttpRequest::get(endpoint.url("/v1beta", "/models?pageSize=1000"), headers);
    let answer = answered(PROVIDER, transport, endpoint, request).await?;
    let list = answer.get("models").and_then(Value::as_array).ok_or_else(|| ModelError::InvalidRequest {
        message: "the list of models has no `models`; check the base URL".to_owned(),
    })?;
    let answers = |model: &&Value| {
        let methods = model.get("supportedGenerationMethods").and_then(Value::as_array);
        methods.is_none_or(|methods| methods.iter().any(|method| method == "generateContent"))
    };
    let name = |model: &Value| {
        let name = model.get("name").and_then(Value::as_str)?;
        Some(name.strip_prefix("models/").unwrap_or(name).to_owned())
    };
    Ok(list.iter().filter(answers).filter_map(name).collect())
}

#[async_trait]
impl LanguageModel for GeminiModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    fn server(&self) -> Option<ServerAddress> {
        self.endpoint.server()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let mut sent = self.send(request).await;
        while self.tools.refuses_some(request, || self.body(request).ok(), &sent) {
            sent = self.send(request).await;
        }
        sent.map(|events| self.tools.reported(events))
    }

    /// All input tokens of a request, tools and system prompt included, as the API counts them. Free of charge. Code Assist
    /// does not count those, so that nothing is asked there.
    async fn count(&self, request: &CompletionRequest) -> Result<Option<u64>, ModelError> {
        if self.code_assist.is_some() {
            return Ok(None);
        }
        let mut body = self.body(request)?;
        if let Some(fields) = body.as_object_mut() {
            fields.insert("model".to_owned(), json!(format!("models/{}", self.name())));
        }
        let request = self.http("countTokens", "", json!({"generateContentRequest": body}));
        let answer = answered(PROVIDER, self.transport.as_ref(), &self.endpoint, request).await?;
        counted(&answer, "totalTokens").map(Some)
    }
}
