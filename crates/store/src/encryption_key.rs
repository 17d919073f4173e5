//! A key by which stored values are encrypted.

use std::fmt;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
#[cfg(feature = "sqlite")]
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

/// Bytes of a key.
const BYTES: usize = 32;
/// Bytes of the number by which a key is known.
pub(crate) const ID_BYTES: usize = 8;
/// Keeps the number of a key apart from every other digest of it.
const ID_LABEL: &[u8] = b"throughline: id of an encryption key\0";

/// A key of XChaCha20-Poly1305. It is overwritten in memory when it is dropped, and `Debug` shows only its id.
#[derive(Clone)]
pub struct EncryptionKey {
    #[cfg(feature = "sqlite")]
    pub(crate) cipher: XChaCha20Poly1305,
    id: KeyId,
}

/// The number by which a key is known: a part of a digest, from which the key does not follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyId(pub(crate) [u8; ID_BYTES]);

/// A text that is no key. It does not show the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it holds no key: 64 hexadecimal digits, or 32 bytes in base64")]
pub struct InvalidKey;

impl EncryptionKey {
    /// The key of a text, with or without white space around it: 64 hexadecimal digits, or 32 bytes in base64.
    ///
    /// # Errors
    /// [`InvalidKey`] for any other text.
    pub fn from_text(text: &str) -> Result<Self, InvalidKey> {
        let text = text.trim();
        let bytes = of_digits(text).or_else(|| of_base64(text)).ok_or(InvalidKey)?;
        #[cfg(feature = "sqlite")]
        let cipher = XChaCha20Poly1305::new_from_slice(bytes.as_slice()).map_err(|_| InvalidKey)?;
        let digest = Sha256::new().chain_update(ID_LABEL).chain_update(bytes.as_slice()).finalize();
        let mut id = [0; ID_BYTES];
        id.iter_mut().zip(digest).for_each(|(byte, of_digest)| *byte = of_digest);
        Ok(Self {
            #[cfg(feature = "sqlite")]
            cipher,
            id: KeyId(id),
        })
    }

    /// The text of a new random key: 64 hexadecimal digits.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn new_text() -> Result<Zeroizing<String>, getrandom::Error> {
        let mut bytes = Zeroizing::new([0; BYTES]);
        getrandom::fill(bytes.as_mut_slice())?;
        // Its room is all there at once: a text that grows leaves copies of itself behind.
        let mut text = Zeroizing::new(String::with_capacity(2 * BYTES));
        for byte in bytes.iter() {
            for digit in [byte >> 4, byte & 15] {
                text.extend(char::from_digit(u32::from(digit), 16));
            }
        }
        Ok(text)
    }

    /// The number by which it is known.
    #[must_use]
    pub fn id(&self) -> KeyId {
        self.id
    }
}

fn of_digits(text: &str) -> Option<Zeroizing<[u8; BYTES]>> {
    if text.len() != 2 * BYTES {
        return None;
    }
    let mut bytes = Zeroizing::new([0; BYTES]);
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        for digit in pair {
            let digit = char::from(*digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())?;
            *byte = (*byte << 4) | digit;
        }
    }
    Some(bytes)
}

fn of_base64(text: &str) -> Option<Zeroizing<[u8; BYTES]>> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let mut room = Zeroizing::new([0; 2 * BYTES]);
    let length = GeneralPurpose::new(&STANDARD, config).decode_slice(text, room.as_mut_slice()).ok()?;
    let decoded = room.get(..length)?;
    let mut bytes = Zeroizing::new([0; BYTES]);
    (decoded.len() == BYTES).then(|| bytes.copy_from_slice(decoded))?;
    Some(bytes)
}

impl KeyId {
    /// The number that was written as a text.
    #[cfg(any(test, feature = "sqlite"))]
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        (text.len() == 2 * ID_BYTES).then_some(())?;
        let number = text.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(text)?;
        Some(Self(u64::from_str_radix(number, 16).ok()?.to_be_bytes()))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", u64::from_be_bytes(self.0))
    }
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncryptionKey({})", self.id)
    }
}

#[cfg(test)]
mod tests;
