//! Operations of a turn: a message, requests, answers, results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_conversation::Image;
use throughline_engine::{Answer, ContentBlock, Message, Next, ToolOutput};
use throughline_wire::WireAnswer as _;

use crate::error::{CallError, ErrorCode};
use crate::notice::Notice;
use crate::operation::operation;
use crate::words::{Done, Followed, Object, TokenUsage};

/// Begins a turn with a message of the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserMessage {
    /// What the user says.
    pub text: String,
    /// Pictures, behind the text.
    #[serde(default)]
    pub images: Vec<Picture>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// For example `image/png`.
    pub media_type: String,
    /// The bytes in base64.
    pub data: String,
}

impl From<Picture> for Image {
    fn from(Picture { media_type, data }: Picture) -> Self {
        Self { media_type, data }
    }
}

operation!(UserMessage, "user", Done, |self, context| {
    let mut message = Message::user(self.text);
    message.content.extend(self.images.into_iter().map(|image| ContentBlock::Image(image.into())));
    let text = message.text();
    context.user(message).await?;
    context.note_request(&text).await;
    Ok(Done {})
});

/// The request that the model answers next, as a body of the context's API, or the question for a summary that is needed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NextRequest {}

/// What the caller sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sends {
    /// A request to the session's model. Its answer goes to `answer`.
    Request,
    /// A question to any model. Its text goes to `summary`.
    Summary,
}

/// A body to send.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequestBody {
    /// What it is.
    pub send: Sends,
    /// Its number, for the operation that takes what came of it.
    pub id: u64,
    /// The model that answers.
    pub model: String,
    /// The body, to be sent unchanged.
    pub body: Object,
    /// What the prompt cache is expected to give; `output` is 0.
    pub predicted: TokenUsage,
    /// What happened since the last request.
    pub notices: Vec<Notice>,
}

operation!(NextRequest, "next_request", RequestBody, |self, context| {
    let next = context.engine.next_request().await?;
    let notices = context.notices.take();
    let model = context.engine.model().name.clone();
    let none = TokenUsage::default();
    Ok(match next {
        Next::Request(next) => {
            let (body, predicted) = (context.writer.body(&next.request), next.predicted.into());
            RequestBody { send: Sends::Request, id: next.id.0, model, body, predicted, notices }
        }
        Next::Summarize(asked) => {
            let body = context.writer.side_body(&asked.request);
            RequestBody { send: Sends::Summary, id: asked.id, model, body, predicted: none, notices }
        }
    })
});

/// Takes the answer to a request. Calls of the engine's own tools are answered here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveAnswer {
    /// The request.
    pub request: u64,
    /// The body of the response, whole.
    pub body: Object,
}

operation!(GiveAnswer, "answer", Followed, |self, context| {
    let body = serde_json::Value::Object(self.body);
    let answer = Answer::from_wire(context.writer.form.wire(), &body)?;
    Ok(context.answer(Self::NAME, self.request, answer).await?.into())
});

/// Takes the answer to a request that came as a stream.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveStream {
    /// The request.
    pub request: u64,
    /// All bytes of the stream as text: server-sent events, or lines of JSON for Ollama.
    pub stream: String,
}

operation!(GiveStream, "answer_stream", Followed, |self, context| {
    let answer = Answer::from_stream(context.writer.form.wire(), self.stream.as_bytes())?;
    Ok(context.answer(Self::NAME, self.request, answer).await?.into())
});

/// Takes the results of all calls of an answer. Large ones are stored, and shown in part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveResults {
    /// One for each call.
    pub results: Vec<CallResult>,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallResult {
    /// The id of the call.
    pub call: String,
    /// What the tool has put out.
    pub text: String,
    /// Pictures in it.
    #[serde(default)]
    pub images: Vec<Picture>,
    /// The call failed.
    #[serde(default)]
    pub is_error: bool,
}

operation!(GiveResults, "results", Followed, |self, context| {
    let output = |result: CallResult| {
        let images = result.images.into_iter().map(Image::from).collect();
        let output = ToolOutput { images, is_error: result.is_error, ..ToolOutput::text(result.text) };
        (result.call, output)
    };
    Ok(context.results(self.results.into_iter().map(output)).await?.into())
});

/// Gives the summary that a request of the kind `summary` asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveSummary {
    /// Its number.
    pub id: u64,
    /// The text.
    pub text: String,
    /// The model that wrote it, for the record.
    #[serde(default)]
    pub model: String,
}

operation!(GiveSummary, "summary", Done, |self, context| {
    context.engine.summary(self.id, self.text, None, self.model)?;
    Ok(Done {})
});

/// Declines a summary: it is extracted from the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclineSummary {
    /// Its number.
    pub id: u64,
}

operation!(DeclineSummary, "no_summary", Done, |self, context| {
    context.engine.no_summary(self.id)?;
    Ok(Done {})
});

/// Runs one of the engine's own tools, for callers that run every call themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallTool {
    /// The tool.
    pub name: String,
    /// The arguments.
    #[serde(default)]
    pub input: Object,
}

/// What a tool of the engine has put out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolText {
    /// The text.
    pub text: String,
    /// The call failed.
    pub is_error: bool,
}

operation!(CallTool, "call", ToolText, |self, context| {
    let input = serde_json::Value::Object(self.input);
    let Some(output) = context.engine.call(&self.name, &input).await else {
        let message = format!("the engine has no tool {:?} in this context", self.name);
        return Err(CallError::new(ErrorCode::UnknownTool, message).with("tool", self.name));
    };
    Ok(ToolText { text: output.to_text(), is_error: output.is_error })
});
