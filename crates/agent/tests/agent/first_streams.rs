//! A model whose first answers are streams of a test.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use throughline_completion::{
    CompletionEvent, CompletionRequest, EventStream, LanguageModel, ModelError, ModelInfo, ScriptedModel,
};

use crate::harness::World;

/// Answers some requests with this stream, then follows the script.
#[derive(Debug)]
pub(crate) struct FirstStreams {
    times: AtomicU64,
    events: Vec<CompletionEvent>,
    /// What the stream ends with.
    error: Option<fn() -> ModelError>,
    script: Arc<ScriptedModel>,
}

impl FirstStreams {
    pub(crate) fn new(
        world: &World,
        times: u64,
        events: Vec<CompletionEvent>,
        error: Option<fn() -> ModelError>,
    ) -> Arc<Self> {
        Arc::new(Self { times: AtomicU64::new(times), events, error, script: world.model.clone() })
    }

    /// Sets how many of the next answers are the stream.
    pub(crate) fn repeat(&self, times: u64) {
        self.times.store(times, Ordering::SeqCst);
    }
}

#[async_trait]
impl LanguageModel for FirstStreams {
    fn info(&self) -> ModelInfo {
        self.script.info()
    }

    async fn stream(&self, request: &CompletionRequest) -> Result<EventStream, ModelError> {
        let left = self.times.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if left.is_err() {
            return self.script.stream(request).await;
        }
        let events = self.events.clone().into_iter().map(Ok).chain(self.error.map(|error| Err(error())));
        Ok(stream::iter(events.collect::<Vec<_>>()).boxed())
    }
}
