//! The form in which a value is stored, encrypted or not.
//!
//! A plain value is stored unchanged. An encrypted one is the magic number, the version of this form, the id of its key, a
//! random nonce, and the ciphertext with its tag. What is authenticated with it is the row that it belongs to, so a value
//! that was moved to another row is not accepted there. A plain value that begins like an encrypted one is
//! stored behind the magic number and the version 0.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chacha20poly1305::XNonce;
use chacha20poly1305::aead::{Aead as _, Payload};

use crate::encryption_key::{EncryptionKey, ID_BYTES, KeyId};

/// No text in UTF-8 begins so, and no known format of files.
pub(crate) const MAGIC: [u8; 8] = *b"\x8eThLnEnc";
const PLAIN: u8 = 0;
const XCHACHA20_POLY1305: u8 = 1;
const HEADER: usize = MAGIC.len() + 1;
const NONCE: usize = 24;
const TAG: usize = 16;

/// Begins an encrypted value in a column of texts; the rest is base64.
const TEXT: &str = "sealed:";

/// The name of the row that a value belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowName<'a> {
    /// The table.
    pub(crate) table: &'static str,
    /// The session.
    pub(crate) session: &'a str,
    /// The rest of the key; empty if the session is all of it.
    pub(crate) name: &'a str,
}

/// A stored value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stored<'a> {
    Plain(&'a [u8]),
    Encrypted(Encrypted<'a>),
}

/// An encrypted value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Encrypted<'a> {
    /// Its key.
    pub(crate) key: KeyId,
    nonce: [u8; NONCE],
    ciphertext: &'a [u8],
}

/// A value in a form that this version does not know, or a part of one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnknownForm;

impl RowName<'_> {
    /// What is authenticated. No two rows have the same bytes, because each part has its length before it.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![XCHACHA20_POLY1305];
        for part in [self.table, self.session, self.name] {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part.as_bytes());
        }
        bytes
    }
}

/// Reads the form of a stored value.
pub(crate) fn stored(value: &[u8]) -> Result<Stored<'_>, UnknownForm> {
    let Some(rest) = value.strip_prefix(MAGIC.as_slice()) else { return Ok(Stored::Plain(value)) };
    match rest.split_first() {
        Some((&PLAIN, plain)) => Ok(Stored::Plain(plain)),
        Some((&XCHACHA20_POLY1305, rest)) => {
            let (key, rest) = rest.split_first_chunk::<ID_BYTES>().ok_or(UnknownForm)?;
            let (nonce, ciphertext) = rest.split_first_chunk::<NONCE>().ok_or(UnknownForm)?;
            Ok(Stored::Encrypted(Encrypted { key: KeyId(*key), nonce: *nonce, ciphertext }))
        }
        _ => Err(UnknownForm),
    }
}

/// The length of the value before it was stored, whatever its key.
pub(crate) fn plain_length(value: &[u8]) -> Option<usize> {
    match stored(value).ok()? {
        Stored::Plain(plain) => Some(plain.len()),
        Stored::Encrypted(encrypted) => encrypted.ciphertext.len().checked_sub(TAG),
    }
}

/// A value that is stored without encryption.
pub(crate) fn unencrypted(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.starts_with(&MAGIC) {
        return Cow::Borrowed(value);
    }
    Cow::Owned([MAGIC.as_slice(), &[PLAIN], value].concat())
}

impl EncryptionKey {
    /// Encrypts the value of a row. `None`: the system gives no random bytes, or the value is too long for the cipher.
    pub(crate) fn seal(&self, row: RowName<'_>, value: &[u8]) -> Option<Vec<u8>> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).ok()?;
        let payload = Payload { msg: value, aad: &row.bytes() };
        let ciphertext = self.cipher.encrypt(&XNonce::from(nonce), payload).ok()?;
        let mut sealed = Vec::with_capacity(HEADER + ID_BYTES + NONCE + ciphertext.len());
        sealed.extend(MAGIC);
        sealed.push(XCHACHA20_POLY1305);
        sealed.extend(self.id().0);
        sealed.extend(nonce);
        sealed.extend(ciphertext);
        Some(sealed)
    }

    /// Decrypts the value of a row. `None`: it is not what was encrypted for this row with this key.
    pub(crate) fn unseal(&self, row: RowName<'_>, value: &Encrypted<'_>) -> Option<Vec<u8>> {
        let payload = Payload { msg: value.ciphertext, aad: &row.bytes() };
        self.cipher.decrypt(&XNonce::from(value.nonce), payload).ok()
    }
}

/// A stored value as a text, for a column of texts.
pub(crate) fn to_text(value: &[u8]) -> String {
    let mut text = TEXT.to_owned();
    STANDARD_NO_PAD.encode_string(value, &mut text);
    text
}

/// The stored value of a column of texts that does not hold a plain text. `None`: it does.
pub(crate) fn of_text(text: &[u8]) -> Option<Result<Vec<u8>, UnknownForm>> {
    let encoded = text.strip_prefix(TEXT.as_bytes())?;
    let value = STANDARD_NO_PAD.decode(encoded).map_err(|_| UnknownForm);
    Some(value.and_then(|value| if value.starts_with(&MAGIC) { Ok(value) } else { Err(UnknownForm) }))
}

/// A text that is stored without encryption.
pub(crate) fn unencrypted_text(text: String) -> String {
    if !text.starts_with(TEXT) {
        return text;
    }
    to_text(&[MAGIC.as_slice(), &[PLAIN], text.as_bytes()].concat())
}

#[cfg(test)]
mod tests;
