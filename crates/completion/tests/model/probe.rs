//! A probe reports what the provider counted, and asks for no more than it needs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, Reply,
    ScriptedModel, probe,
};
use throughline_conversation::{TokenCounter, Usage};
use throughline_testkit::WordCounter;

use crate::request::request;

// S2-14
#[tokio::test]
async fn a_probe_counts_tools_and_system_prompt_too() {
    let request = request("user: one two three");
    let model = ScriptedModel::new(
        ModelInfo::with_window("m", 1_000, 100),
        Box::new(WordCounter),
        [Reply::text("ok"), Reply::BreakOff(Vec::new())],
    )
    .recording();
    let tokens = probe(&model, &request).await.unwrap().prompt();
    let texts = request.system.iter().map(|section| section.text.as_str());
    let texts = texts.chain(request.tail.iter().map(String::as_str));
    let tools = request.tools.iter().map(|tool| WordCounter.tool(tool)).sum::<u64>();
    assert!(tools > 0);
    let messages = request.transcript.entries().iter().map(|entry| entry.tokens).sum::<u64>();
    assert!(messages > 0);
    assert_eq!(tokens, tools + messages + texts.map(|text| WordCounter.text(text)).sum::<u64>());
    let sent = model.requests();
    assert_eq!(sent[0].max_output_tokens, 16);
    assert_eq!(sent[0].transcript, request.transcript);
    assert!(matches!(probe(&model, &request).await, Err(ModelError::Interrupted { .. })));
}

/// Reports usage at once, then streams for ever.
#[derive(Debug)]
struct Endless(Arc<AtomicBool>);

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[async_trait]
impl LanguageModel for Endless {
    fn info(&self) -> ModelInfo {
        ModelInfo::with_window("m", 1_000, 100)
    }

    async fn stream(&self, _: &CompletionRequest) -> Result<EventStream, ModelError> {
        let nothing_yet = Usage { output: 1, ..Usage::default() };
        let known = Usage { input: 3, cache_read: 5, cache_write: 7, output: 1, searches: 0 };
        let first = [nothing_yet, known].map(|usage| Ok(CompletionEvent::Usage(usage)));
        let held = SetOnDrop(Arc::clone(&self.0));
        let rest = stream::unfold(held, |held| async move {
            std::future::pending::<()>().await;
            Some((Ok(CompletionEvent::TextDelta(String::new())), held))
        });
        Ok(stream::iter(first).chain(rest).boxed())
    }
}

// S2-14
#[tokio::test]
async fn a_probe_ends_as_soon_as_the_input_is_known() {
    let dropped = Arc::new(AtomicBool::new(false));
    let model = Endless(Arc::clone(&dropped));
    assert_eq!(probe(&model, &request("user: hi")).await.unwrap().prompt(), 15);
    assert!(dropped.load(Ordering::SeqCst));
}
