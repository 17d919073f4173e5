//! The port that limits what a session may cost.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_conversation::{ModelUse, Origin, Usage};

/// Decides whether the next request may be paid for.
///
/// # Contract
/// - [`allow`](SpendingGuard::allow) is called before each request of a turn, and [`record`](SpendingGuard::record) after
///   each request that was sent, those for summaries included.
/// - [`allow`](SpendingGuard::allow) MUST refuse a request that is expected to pass a limit, together with those that it has allowed
///   and that are not recorded yet. The next call for the same session replaces the last one: that request has failed.
///
/// # When it fails
/// A guard that cannot tell what was spent refuses: the turn ends, and the session can continue.
#[async_trait]
pub trait SpendingGuard: Debug + Send + Sync {
    /// A turn begins.
    fn begin_turn(&self);

    /// Allows a request to this model, or refuses it. `expected` is its predicted input; the output is unknown.
    async fn allow(&self, origin: &Origin, expected: Usage) -> Result<(), SpendingError>;

    /// Takes the usage of requests that were sent.
    fn record(&self, used: &ModelUse);
}

const _: Option<&dyn SpendingGuard> = None;

/// The guard of a session; `None`: no limit.
pub(crate) type Guard = Option<Arc<dyn SpendingGuard>>;

/// An amount of US dollars with all digits of its setting, cents at least.
fn exact(dollars: f64) -> String {
    let text = dollars.to_string();
    let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
    format!("${dollars:.*}", digits.clamp(2, 6))
}

/// What the request is expected to cost; empty if that is not known yet.
fn expected(next: f64) -> String {
    if next > 0.0 { format!(", and the request costs about ${next:.4}") } else { String::new() }
}

/// What is reserved for other requests; empty: nothing.
fn under_way(open: f64) -> String {
    if open > 0.0 { format!(", ${open:.4} is reserved for requests under way") } else { String::new() }
}

/// Why a request may not be paid for. It was not sent.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpendingError {
    /// It would pass a limit.
    #[error(
        "stopped before a request that would pass the limit of {limit} for {span}: ${spent:.4} is spent{under_way}{expected}; \
         raise {setting} and continue",
        limit = exact(*most),
        under_way = under_way(*open),
        expected = expected(*next)
    )]
    Limit {
        /// What the limit is for, for example `this session`.
        span: &'static str,
        /// The setting that holds the limit.
        setting: &'static str,
        /// The limit in US dollars.
        most: f64,
        /// What was spent of it.
        spent: f64,
        /// What requests that are not answered yet are expected to cost.
        open: f64,
        /// What the request is expected to cost.
        next: f64,
    },
    /// The price of the model is unknown, so no limit can be enforced.
    #[error(
        "the price of {model} is unknown, so {setting} cannot be enforced; add its price to the model table, or remove \
         the limit"
    )]
    UnknownPrice {
        /// Provider and model.
        model: String,
        /// The setting that holds the limit.
        setting: &'static str,
    },
    /// What was spent cannot be read.
    #[error("{setting} cannot be enforced: what was spent cannot be read: {why}")]
    Unreadable {
        /// The setting that holds the limit.
        setting: &'static str,
        /// Why.
        why: String,
    },
}
