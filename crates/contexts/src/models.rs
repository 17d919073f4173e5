//! What is known of models.

use std::fmt;
use std::sync::Arc;

use throughline_engine::{ModelInfo, TokenCounter};

/// What is known of a model.
#[derive(Debug, Clone)]
pub struct KnownModel {
    /// Its limits, cache rules and prices.
    pub info: ModelInfo,
    /// Counts its tokens; `None`: they are estimated.
    pub counter: Option<Arc<dyn TokenCounter>>,
}

/// A table of models.
///
/// # Contract
/// The same name MUST give the same facts while a context is open.
///
/// # When it fails
/// It cannot: a model that it does not know needs a window in the input of `open`.
pub trait ModelFacts: fmt::Debug + Send + Sync {
    /// The model of this name at this provider.
    fn find(&self, provider: &str, model: &str) -> Option<KnownModel>;
}

const _: fn(&dyn ModelFacts) = |_| {};

/// A table without models: each context says the window of its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoModels;

impl ModelFacts for NoModels {
    fn find(&self, _provider: &str, _model: &str) -> Option<KnownModel> {
        None
    }
}
