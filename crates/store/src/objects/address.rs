//! The address of an object.

use std::fmt;

use sha2::{Digest as _, Sha256};
use throughline_text::hexadecimal;

/// `PLACE/aa/DIGEST-RANDOM`: the place, the first two digits of the digest, the SHA-256 of the object's bytes and a random
/// part, both in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address(String);

/// Bytes of the random part.
const RANDOM: usize = 8;
const DIGITS: usize = 64;

impl Address {
    /// The address of these bytes in a place: a new one each time. `None`: the system gives no random bytes.
    pub(crate) fn new(place: &str, bytes: &[u8]) -> Option<Self> {
        let mut random = [0; RANDOM];
        getrandom::fill(&mut random).ok()?;
        Some(Self(format!("{}{}", Self::beginning(place, bytes), hexadecimal(&random))))
    }

    /// What all addresses of these bytes in a place begin with; it ends with `-`.
    pub(crate) fn beginning(place: &str, bytes: &[u8]) -> String {
        let digest = hexadecimal(&Sha256::digest(bytes));
        format!("{place}/{}/{digest}-", digest.get(..2).unwrap_or_default())
    }

    /// An address that was stored.
    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of the object in whatever place is set: objects can be moved to another one.
    pub(crate) fn key(&self) -> &str {
        let at = self.0.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
        self.0.get(at..).unwrap_or_default()
    }

    /// Returns true if bytes are those that were written.
    pub(crate) fn names(&self, bytes: &[u8]) -> bool {
        let name = self.0.rsplit('/').next().unwrap_or_default();
        let digest = name.split_once('-').map_or(name, |(digest, _)| digest);
        digest.len() == DIGITS && digest == hexadecimal(&Sha256::digest(bytes))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;
