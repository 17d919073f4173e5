//! Asks the model of the session to judge an event.

use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use throughline_completion::{Assembly, CompletionEvent, CompletionRequest, LanguageModel, ModelError};
use throughline_conversation::{Message, ModelUse, Usage};
use throughline_hooks::{Hook, HookEnding, HookRun, judge_message};
use throughline_text::error_chain;
use throughline_tools::CancelFlag;

use super::lock;

/// Tokens of a judgement at most. Models that think need some for that.
const MAX_ANSWER: u64 = 2_048;

/// The model that judges, and what it has used since it was last asked for that.
#[derive(Debug)]
pub(super) struct Judge {
    model: Mutex<Arc<dyn LanguageModel>>,
    used: Mutex<Vec<ModelUse>>,
}

impl Judge {
    pub(super) fn new(model: Arc<dyn LanguageModel>) -> Self {
        Self { model: Mutex::new(model), used: Mutex::default() }
    }

    /// Asks this model from now on.
    pub(super) fn ask(&self, model: Arc<dyn LanguageModel>) {
        *lock(&self.model) = model;
    }

    /// Takes what was used since the last call.
    pub(super) fn take_used(&self) -> Vec<ModelUse> {
        std::mem::take(&mut *lock(&self.used))
    }

    /// Lets the model judge an event by the text of a hook.
    pub(super) async fn run(&self, hook: &Hook, input: &str, cancel: &CancelFlag) -> HookRun {
        let asked = self.judged(judge_message(hook.text(), input));
        let (ending, stdout) = tokio::select! {
            biased;
            () = cancel.cancelled() => (HookEnding::Cancelled, String::new()),
            asked = tokio::time::timeout(hook.timeout, asked) => match asked {
                Err(_) => (HookEnding::TimedOut, String::new()),
                Ok(Ok(text)) => (HookEnding::Exit(0), text),
                Ok(Err(error)) => (HookEnding::Failed(error_chain(&error)), String::new()),
            },
        };
        HookRun { ending, stdout, stderr: String::new() }
    }

    async fn judged(&self, text: String) -> Result<String, ModelError> {
        let model = Arc::clone(&*lock(&self.model));
        let info = model.info();
        let request = CompletionRequest::of_messages(
            &info.name,
            [Message::user(text)],
            MAX_ANSWER.min(info.max_output),
        );
        let mut stream = model.stream(&request).await?;
        // From here on it costs, also if it is dropped.
        let mut spent = Spent { judge: self, used: None, model: &model };
        let mut assembly = Assembly::default();
        while let Some(event) = stream.next().await {
            let event = event?;
            if let CompletionEvent::Usage(usage) = &event {
                spent.used = Some(*usage);
            }
            assembly.push(event);
        }
        Ok(assembly.finish()?.message.text())
    }
}

/// A request whose use is noted when it ends, however it does.
struct Spent<'a> {
    judge: &'a Judge,
    model: &'a Arc<dyn LanguageModel>,
    used: Option<Usage>,
}

impl Drop for Spent<'_> {
    fn drop(&mut self) {
        lock(&self.judge.used).push(ModelUse::of_request(self.model.info().origin(), self.used));
    }
}
