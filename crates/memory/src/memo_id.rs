//! Names of memos that a person can type.

use std::fmt;

use serde::{Deserialize, Serialize};
use throughline_text::fingerprint;

/// Fewest digits of a name.
const SHORTEST: usize = 4;

/// Name of a memo: `m-` and at least four hexadecimal digits, for example `m-1f3a`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemoId(String);

impl MemoId {
    /// Takes a text that a model or a person wrote as a name: case does not matter, and `m-` may be left out. Any
    /// text is allowed: a wrong one finds nothing.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let around = |c: char| c.is_whitespace() || matches!(c, '[' | ']');
        let text = text.trim_matches(around).to_lowercase();
        let digits = text.len() >= SHORTEST && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        Self(if digits { format!("m-{text}") } else { text })
    }

    /// The names that a memo of this content may take, in order, without an end: short ones first. Who keeps the
    /// memo takes the first that is free. They depend on the content alone, so no source of chance is needed.
    pub fn candidates(workspace: Option<&str>, content: &str) -> impl Iterator<Item = Self> + use<> {
        let seed = fingerprint(format!("{}\n{content}", workspace.unwrap_or_default()).as_bytes());
        (0_u64..).flat_map(move |round| {
            let digits = format!("{:016x}", mixed(seed.wrapping_add(round)));
            (SHORTEST..=digits.len())
                .filter_map(move |most| digits.get(..most).map(|id| Self(format!("m-{id}"))))
        })
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Spreads what tells two numbers apart over all digits (the finalizer of SplitMix64).
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

impl fmt::Display for MemoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;
