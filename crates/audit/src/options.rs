//! How a session is audited.

use std::fmt;

use throughline_conversation::TokenCounter;

use super::price::ModelPrice;

/// How a session is audited.
#[derive(Clone, Copy)]
pub struct AuditOptions<'a> {
    /// Counts what the recording has no usage of.
    pub counter: &'a dyn TokenCounter,
    /// The price of a model by its name. An unknown model has a price without dollars.
    pub price: &'a dyn Fn(Option<&str>) -> ModelPrice,
    /// Tokens of system prompt and tool schemas, where neither usage nor the recording's own prompt says more.
    pub overhead: u64,
}

impl fmt::Debug for AuditOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditOptions").field("overhead", &self.overhead).finish_non_exhaustive()
    }
}

impl AuditOptions<'_> {
    pub(super) fn price(&self, model: Option<&str>) -> ModelPrice {
        (self.price)(model)
    }
}
