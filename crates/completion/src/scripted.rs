//! A model that answers from a script.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream;
use throughline_conversation::{ContentBlock, TokenCounter, ToolCall, Usage};

use crate::cache::PrefixCache;
use crate::error::ModelError;
use crate::event::{CompletionEvent, EventStream, StopReason};
use crate::model::LanguageModel;
use crate::model_info::ModelInfo;
use crate::request::CompletionRequest;

/// Builds the blocks of an answer from the request.
pub type AnswerFromRequest = Box<dyn FnOnce(&CompletionRequest) -> Vec<ContentBlock> + Send>;

/// One answer of a script.
pub enum Reply {
    /// These blocks. The stop reason is `tool_use` when one is a call.
    Say(Vec<ContentBlock>),
    /// Blocks that depend on what the request shows, as a model's would.
    Look(AnswerFromRequest),
    /// The first events of an answer, then the connection breaks.
    BreakOff(Vec<ContentBlock>),
    /// The first events of an answer, then this error.
    BreakOffWith(Vec<ContentBlock>, ModelError),
    /// This error instead of an answer.
    Fail(ModelError),
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Say(blocks) => f.debug_tuple("Say").field(blocks).finish(),
            Self::Look(_) => f.write_str("Look"),
            Self::BreakOff(blocks) => f.debug_tuple("BreakOff").field(blocks).finish(),
            Self::BreakOffWith(blocks, error) => {
                f.debug_tuple("BreakOffWith").field(blocks).field(error).finish()
            }
            Self::Fail(error) => f.debug_tuple("Fail").field(error).finish(),
        }
    }
}

impl Reply {
    /// An answer of one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Say(vec![ContentBlock::Text { text: text.into() }])
    }

    /// An answer of one tool call.
    #[must_use]
    pub fn call(id: impl Into<String>, name: impl Into<String>, input: serde_json::Value) -> Self {
        Self::Say(vec![ContentBlock::ToolCall(ToolCall { id: id.into(), name: name.into(), input })])
    }
}

/// Answers from a script, through the same port as a real model, and as strict as the strictest of them:
/// it rejects a malformed request, and one that is too long overflows. It reports usage with a prefix cache.
#[derive(Debug)]
pub struct ScriptedModel {
    info: ModelInfo,
    counter: Box<dyn TokenCounter>,
    state: Mutex<ScriptState>,
}

#[derive(Debug, Default)]
struct ScriptState {
    replies: VecDeque<Reply>,
    cache: PrefixCache,
    record: bool,
    requests: Vec<CompletionRequest>,
    count: u64,
}

impl ScriptedModel {
    /// Creates a model that returns these answers in order, and a text that says so after the last one.
    #[must_use]
    pub fn new(
        info: ModelInfo,
        counter: Box<dyn TokenCounter>,
        replies: impl IntoIterator<Item = Reply>,
    ) -> Self {
        let state = ScriptState { replies: replies.into_iter().collect(), ..ScriptState::default() };
        Self { info, counter, state: Mutex::new(state) }
    }

    /// Keeps every request, for tests that look at what the model saw.
    #[must_use]
    pub fn recording(self) -> Self {
        self.state().record = true;
        self
    }

    /// Caches the prefix of a request that an earlier process sent: the cache of a server outlives its clients.
    #[must_use]
    pub fn having_answered(self, request: &CompletionRequest) -> Self {
        self.state().cache.observe(request, self.counter.as_ref());
        self
    }

    /// Puts more answers at the end of the script.
    pub fn extend(&self, replies: impl IntoIterator<Item = Reply>) {
        self.state().replies.extend(replies);
    }

    /// Puts an answer at the front of the script: it is the next one.
    pub fn interject(&self, reply: Reply) {
        self.state().replies.push_front(reply);
    }

    /// The requests recorded so far.
    #[must_use]
    pub fn requests(&self) -> Vec<CompletionRequest> {
        self.state().requests.clone()
    }

    /// How many requests came, refused ones included.
    #[must_use]
    pub fn request_count(&self) -> u64 {
        self.state().count
    }

    /// The script has no invariant that a panic could break, so a poisoned lock is used.
    fn state(&self) -> MutexGuard<'_, ScriptState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refuse(&self, request: &CompletionRequest) -> Option<ModelError> {
        let faults = request.faults();
        if !faults.is_empty() {
            let text: Vec<String> = faults.iter().map(ToString::to_string).collect();
            return Some(ModelError::InvalidRequest { message: text.join("; ") });
        }
        let markers = request.breakpoints.len();
        if markers > self.info.cache.max_breakpoints {
            let most = self.info.cache.max_breakpoints;
            let message = format!("at most {most} cache breakpoints may be set, found {markers}");
            return Some(ModelError::InvalidRequest { message });
        }
        None
    }
}

#[async_trait]
impl LanguageModel for ScriptedModel {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let mut state = self.state();
        state.count += 1;
        if state.record {
            state.requests.push(request.clone());
        }
        if let Some(error) = self.refuse(request) {
            return Err(error);
        }
        let split = state.cache.predict(request, self.counter.as_ref());
        let limit = self.info.window.saturating_sub(request.max_output_tokens);
        if split.total() > limit {
            let message = format!("prompt is too long: {} tokens > {limit} maximum", split.total());
            return Err(ModelError::Overflow { message, limit: Some(self.info.window), tokens: None });
        }
        let reply = state.replies.pop_front();
        if !matches!(reply, Some(Reply::Fail(_))) {
            // Only a request that is answered warms the cache.
            state.cache.observe(request, self.counter.as_ref());
        }
        drop(state);
        let (blocks, broken) = match reply {
            None => (vec![ContentBlock::Text { text: "[the script has no more answers]".to_owned() }], None),
            Some(Reply::Fail(error)) => return Err(error),
            Some(Reply::Say(blocks)) => (blocks, None),
            Some(Reply::Look(answer)) => (answer(request), None),
            Some(Reply::BreakOff(blocks)) => {
                let message = "the connection broke".to_owned();
                (blocks, Some(ModelError::Interrupted { message }))
            }
            Some(Reply::BreakOffWith(blocks, error)) => (blocks, Some(error)),
        };
        let output = blocks.iter().fold(0, |sum: u64, block| sum.saturating_add(self.counter.block(block)));
        Ok(stream::iter(events(blocks, broken, split.usage(output))).boxed())
    }
}

fn events(
    blocks: Vec<ContentBlock>,
    broken: Option<ModelError>,
    usage: Usage,
) -> Vec<Result<CompletionEvent, ModelError>> {
    let calls = blocks.iter().any(|block| matches!(block, ContentBlock::ToolCall(_)));
    let mut events = Vec::with_capacity(blocks.len() * 2 + 2);
    for block in blocks {
        match &block {
            ContentBlock::Text { text } => events.push(Ok(CompletionEvent::TextDelta(text.clone()))),
            ContentBlock::Thinking(thinking) => {
                events.push(Ok(CompletionEvent::ThinkingDelta(thinking.text.clone())));
            }
            _ => {}
        }
        events.push(Ok(CompletionEvent::Block(block)));
    }
    if let Some(error) = broken {
        events.push(Err(error));
    } else {
        let stop = if calls { StopReason::ToolUse } else { StopReason::EndTurn };
        events.push(Ok(CompletionEvent::Usage(usage)));
        events.push(Ok(CompletionEvent::Finished(stop)));
    }
    events
}
