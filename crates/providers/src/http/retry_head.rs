//! What the head of a response says about sending again.

use throughline_completion::ModelError;

use super::HttpAnswer;

/// The headers about retries.
#[derive(Debug)]
pub(super) struct RetryHead {
    /// `retry-after`: seconds or a date.
    pub(super) after: Option<String>,
    after_ms: Option<u64>,
    forbidden: bool,
}

impl RetryHead {
    pub(super) fn of(answer: &HttpAnswer) -> Self {
        let milliseconds = |text: &String| text.trim().parse::<f64>().ok().filter(|ms| *ms >= 0.0);
        Self {
            after: answer.retry_after.clone(),
            after_ms: answer.retry_after_ms.as_ref().and_then(milliseconds).map(|ms| ms.ceil() as u64),
            forbidden: answer.should_retry.as_deref().is_some_and(|text| text.trim() == "false"),
        }
    }

    /// The error with the wait in milliseconds, which is more exact than that in seconds; one that is not retried if the provider says
    /// that this does not help.
    pub(super) fn applied(self, mut error: ModelError) -> ModelError {
        if let ModelError::RateLimited { retry_after_ms, .. }
        | ModelError::Unavailable { retry_after_ms, .. } = &mut error
        {
            *retry_after_ms = self.after_ms.or(*retry_after_ms);
        }
        match error {
            ModelError::RateLimited { message, .. } | ModelError::Unavailable { message, .. }
                if self.forbidden =>
            {
                ModelError::NoRetry { message }
            }
            error => error,
        }
    }
}

#[cfg(test)]
mod tests;
