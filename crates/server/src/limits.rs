//! How much one user may ask: requests in a time, and requests at the same time.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::answer::Failure;

/// Requests that a user may send at once after a pause, in seconds of the rate.
const BURST_SECONDS: f64 = 2.0;

/// Seconds after which a request may succeed that was refused because others were open.
const OPEN_RETRY: u64 = 1;

/// Requests in a time, on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequestRate {
    per_second: f64,
}

/// Why a text is no rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write requests per second or minute: 20/s or 300/m")]
pub struct InvalidRate;

impl RequestRate {
    /// Reads `20/s` or `300/m`.
    ///
    /// # Errors
    /// [`InvalidRate`].
    pub fn parse(text: &str) -> Result<Self, InvalidRate> {
        let (number, unit) = text.trim().split_once('/').ok_or(InvalidRate)?;
        let seconds = match unit {
            "s" => 1.0,
            "m" => 60.0,
            _ => return Err(InvalidRate),
        };
        let number: u32 = number.parse().map_err(|_| InvalidRate)?;
        if number == 0 { Err(InvalidRate) } else { Ok(Self { per_second: f64::from(number) / seconds }) }
    }
}

impl fmt::Display for RequestRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.per_second >= 1.0 {
            write!(f, "{}/s", self.per_second)
        } else {
            write!(f, "{:.0}/m", self.per_second * 60.0)
        }
    }
}

/// What one user may ask of a server.
#[derive(Debug, Clone, Copy)]
pub struct UserLimits {
    /// Requests in a time; `None`: no limit.
    pub rate: Option<RequestRate>,
    /// Requests that may be sent at once after a pause; `None`: those of two seconds of the rate.
    pub burst: Option<u32>,
    /// Requests and streams of events at the same time.
    pub open: usize,
}

impl Default for UserLimits {
    /// No rate, and 256 requests at the same time: half of the connections of a server.
    fn default() -> Self {
        Self { rate: None, burst: None, open: 256 }
    }
}

impl UserLimits {
    /// Requests that may be sent at once.
    fn burst(&self, rate: RequestRate) -> f64 {
        self.burst.map_or(rate.per_second * BURST_SECONDS, f64::from).max(1.0)
    }

    /// Requests that a user may send at a time.
    fn requests(&self, rate: RequestRate, left: &Allowance, at: Instant) -> f64 {
        let since = at.saturating_duration_since(left.at).as_secs_f64();
        (left.requests + since * rate.per_second).min(self.burst(rate))
    }

    /// Returns true if a user has all that a new one has.
    fn is_whole(&self, left: &Allowance, at: Instant) -> bool {
        let is_rested = self.rate.is_none_or(|rate| self.requests(rate, left, at) >= self.burst(rate));
        is_rested && left.open.available_permits() == self.open
    }
}

/// The limits, and what each user has left of them.
#[derive(Debug)]
pub(crate) struct Limits {
    limits: UserLimits,
    users: Mutex<HashMap<Arc<str>, Allowance>>,
}

/// What a user has left.
#[derive(Debug)]
struct Allowance {
    /// Requests that may be sent at `at`.
    requests: f64,
    at: Instant,
    open: Arc<Semaphore>,
}

impl Limits {
    pub(crate) fn new(limits: UserLimits) -> Self {
        Self { limits, users: Mutex::default() }
    }

    /// Takes a request of a user, who is gone when the place is dropped.
    ///
    /// # Errors
    /// The user has asked too much; the refusal says when the next request may succeed.
    pub(crate) fn take(&self, user: &Arc<str>, at: Instant) -> Result<OwnedSemaphorePermit, Failure> {
        let UserLimits { rate, open, .. } = self.limits;
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        if !users.contains_key(user) {
            users.retain(|_, allowance| !self.limits.is_whole(allowance, at));
        }
        let allowance = users.entry(Arc::clone(user)).or_insert_with(|| Allowance {
            requests: rate.map_or(0.0, |rate| self.limits.burst(rate)),
            at,
            open: Arc::new(Semaphore::new(open)),
        });
        if let Some(rate) = rate {
            allowance.requests = self.limits.requests(rate, allowance, at);
            allowance.at = at;
            if allowance.requests < 1.0 {
                let wait = ((1.0 - allowance.requests) / rate.per_second).ceil().max(1.0);
                let why = format!("{user} sends more than {rate}, which is the limit of `serve --rate`");
                return Err(refused(why).retry_after(wait as u64));
            }
            allowance.requests -= 1.0;
        }
        Arc::clone(&allowance.open).try_acquire_owned().map_err(|_| {
            let why = format!(
                "{user} has {open} requests and streams open, which is the limit of `serve --user-open`"
            );
            refused(why).retry_after(OPEN_RETRY)
        })
    }
}

fn refused(why: String) -> Failure {
    Failure::new(StatusCode::TOO_MANY_REQUESTS, why)
}

#[cfg(test)]
mod tests;
