//! What the recording of another agent says of its requests.

use serde::{Deserialize, Serialize};

use crate::ids::Millis;
use crate::tokens::{Usage, is_zero};

/// The request of another agent for the next answer of the log, where its transcript was stored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ForeignRequest {
    /// When it was sent. `None`: not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_at: Option<Millis>,
    /// What else is recorded of it.
    #[serde(flatten)]
    pub facts: RequestFacts,
}

/// What a recording says of a request apart from its content, its usage and its time.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestFacts {
    /// The model that answered, where the recording names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The provider of that model, where the recording names it: its format is of programs that ask any provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// What the answer is known by in every recording that has a copy of it; `None`: the format has no such name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Whether the request was sent by the session that this one was forked from.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub inherited: bool,
    /// Whether the agent had compacted its context since the request before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub compacted: bool,
    /// Whether no model was asked for that: the agent has taken a view of Throughline.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unasked: bool,
    /// Tokens of the reported cache write that were written with a TTL of one hour.
    #[serde(skip_serializing_if = "is_zero")]
    pub hour_write: u64,
    /// Tokens of the answer, where they were recorded without the usage of the prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// How it was sent.
    pub terms: RequestTerms,
    /// Answers since the one before that were paid and are in no turn: they say nothing, are joined with this one, or are the
    /// summary of a compaction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unshown: Vec<UnshownAnswer>,
}

/// How a request was sent, where its price follows from that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestTerms {
    /// In the provider's faster mode.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fast: bool,
    /// In a batch.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub batch: bool,
    /// To servers in the US only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub us_only: bool,
}

/// An answer that was paid and is in no turn of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnshownAnswer {
    /// As [`RequestFacts::answer`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The model that answered, where the recording names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the provider reported for it.
    pub usage: Usage,
    /// Tokens of the cache write that were written with a TTL of one hour.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hour_write: u64,
    /// How it was sent.
    #[serde(default)]
    pub terms: RequestTerms,
    /// When it was complete. `None`: not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_at: Option<Millis>,
    /// Whether it is the summary of a compaction.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_summary: bool,
}

impl UnshownAnswer {
    /// That of an answer, if the provider reported anything for it and the session has paid it.
    #[must_use]
    pub fn of(request: &RequestFacts, usage: Option<Usage>, answered_at: Option<Millis>) -> Option<Self> {
        let RequestFacts { answer, model, hour_write, terms, inherited, .. } = request;
        let usage = usage.filter(|_| !inherited)?;
        Some(Self {
            answer: answer.clone(),
            model: model.clone(),
            usage,
            hour_write: *hour_write,
            terms: *terms,
            answered_at,
            is_summary: false,
        })
    }
}

impl RequestFacts {
    /// The compaction before the request: whether no model was asked for it. `None`: it follows none.
    #[must_use]
    pub fn compaction(&self) -> Option<bool> {
        self.compacted.then_some(self.unasked)
    }

    /// Takes over the compaction before another request, unless it has its own.
    pub fn take_compaction(&mut self, earlier: Option<bool>) {
        if let Some(unasked) = earlier.filter(|_| !self.compacted) {
            (self.compacted, self.unasked) = (true, unasked);
        }
    }
}
