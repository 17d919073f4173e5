//! New session ids.

use throughline_agent::{Clock as _, SystemClock};
use throughline_conversation::{Millis, SessionId};

use crate::error::{Attempt as _, Result};

/// The current time.
#[must_use]
pub fn now() -> Millis {
    SystemClock.now()
}

/// A new session id: a word, and the time in base 36, so that ids sort by age. Another process may choose the same one in
/// the same millisecond.
///
/// # Errors
/// The word has characters that an id cannot have.
pub fn new_session_id(word: &str, at: Millis) -> Result<SessionId> {
    let mut number = at.0.unsigned_abs();
    let mut digits = Vec::new();
    while number > 0 {
        let digit = u32::try_from(number % 36).unwrap_or_default();
        digits.push(char::from_digit(digit, 36).unwrap_or('0'));
        number /= 36;
    }
    let time: String = digits.into_iter().rev().collect();
    SessionId::new(format!("{word}-{time}")).attempt(|| format!("{word:?} cannot begin a session id"))
}
