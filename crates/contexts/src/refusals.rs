//! Operations of a request that got no answer.

use std::time::{Duration, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use throughline_completion::ModelError;
use throughline_engine::{Clock as _, Refused, RequestId, SystemClock};

use crate::operation::operation;
use crate::words::Done;

/// The request got no answer. After an overflow the view is compacted; pictures that the provider rejects are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveRefusal {
    /// The request.
    pub request: u64,
    /// Status of the response; none if there was no response.
    #[serde(default)]
    pub status: Option<u16>,
    /// Body of the response as text, or what the client says.
    pub body: String,
    /// The header `retry-after`.
    #[serde(default)]
    pub retry_after: Option<String>,
}

/// What the caller does after a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AfterRefusal {
    /// It asks for the next request: the session has changed so that it may pass.
    Request,
    /// It may ask again later or elsewhere: the request is not at fault.
    Elsewhere,
    /// The turn has ended.
    Final,
}

/// What follows a refusal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RefusalTaken {
    /// What the caller does.
    pub then: AfterRefusal,
    /// The kind of the provider's error in one word.
    pub kind: String,
    /// The error.
    pub message: String,
    /// Milliseconds to wait before another try, if the provider says so.
    pub retry_after_ms: Option<u64>,
}

operation!(GiveRefusal, "refused", RefusalTaken, |self, context| {
    let error = match self.status {
        Some(status) => {
            let now =
                UNIX_EPOCH + Duration::from_millis(u64::try_from(SystemClock.now().0).unwrap_or_default());
            context.writer.form.wire().refusal(status, self.retry_after.as_deref(), now, self.body.as_bytes())
        }
        None => ModelError::Unavailable { message: self.body, retry_after_ms: None },
    };
    let (kind, message) = (error.kind().to_owned(), error.to_string());
    let retry_after_ms = error.retry_after_ms();
    let then = match context.engine.refused(RequestId(self.request), error).await? {
        Refused::Rebuilt => AfterRefusal::Request,
        Refused::OtherModel(_) => AfterRefusal::Elsewhere,
        Refused::Final(_) => AfterRefusal::Final,
    };
    Ok(RefusalTaken { then, kind, message, retry_after_ms })
});

/// The caller has stopped the request. The turn ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveStop {
    /// The request.
    pub request: u64,
    /// What the model had written.
    #[serde(default)]
    pub text: String,
}

operation!(GiveStop, "cancelled", Done, |self, context| {
    context.engine.cancelled(RequestId(self.request), &self.text).await?;
    Ok(Done {})
});
