//! A session with a model of the caller's own: it repeats what the user says.

use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use throughline::Throughline;
use throughline::ports::{
    CompletionEvent, CompletionRequest, ContentBlock, EventStream, LanguageModel, Message, ModelError,
    ModelInfo, StopReason, async_trait,
};

#[derive(Debug)]
struct Echo;

#[async_trait]
impl LanguageModel for Echo {
    fn info(&self) -> ModelInfo {
        ModelInfo::with_window("echo", 32_000, 4_000)
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let last = request.transcript.messages().last();
        let text = last.map(Message::text).unwrap_or_default();
        let events = [
            CompletionEvent::TextDelta(text.clone()),
            CompletionEvent::Block(ContentBlock::Text { text }),
            CompletionEvent::Finished(StopReason::EndTurn),
        ];
        Ok(stream::iter(events.map(Ok)).boxed())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let builder = Throughline::builder().data_dir(std::env::temp_dir().join("throughline-own-model"));
    let mut session = builder.model_port(Arc::new(Echo)).open().await?;
    println!("{}", session.send("Hello?").await?.text());
    session.close().await?;
    Ok(())
}
