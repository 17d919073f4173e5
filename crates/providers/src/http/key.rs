//! Keys, and keeping them out of sight.

use std::fmt;
use std::io::Read;
use std::path::Path;

use secrecy::{ExposeSecret, SecretString};

/// Longest key file that is read, in bytes; keys have a few hundred.
const MOST_BYTES: u64 = 16 * 1024;

/// Shorter keys and header values are not replaced in texts: dummy keys of local servers (`x`, `none`) are parts of words.
const SECRET_FROM: usize = 8;

/// Fewest bytes of a key's beginning that are treated as a part of the key.
const PART: usize = 8;

/// A secret that goes into a header. It shows in no output, and its memory is wiped when it is dropped.
#[derive(Clone)]
pub struct Key(SecretString);

/// Why a key cannot be used. Never holds the key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// There is nothing in the place.
    #[error("the key in {place} is empty; put a key there, or remove it")]
    Empty {
        /// The variable or file.
        place: String,
    },
    /// The value cannot be a key.
    #[error("the key in {place} holds {what}; put the key there and nothing else")]
    Malformed {
        /// The variable or file.
        place: String,
        /// The offending content.
        what: &'static str,
    },
    /// The file cannot be read.
    #[error("the key in {place} cannot be read; check that the file exists and that you may read it")]
    Unreadable {
        /// The file.
        place: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

impl Key {
    /// Uses a text as a key, unchanged. A text that no header can carry fails when it is sent.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(SecretString::from(key.into()))
    }

    /// The key in an environment variable, without white space around it; `None` when the variable is not set.
    ///
    /// # Errors
    /// [`KeyError`] when it is set to nothing, or to something that is no key.
    pub fn from_env(var: &str) -> Result<Option<Self>, KeyError> {
        match std::env::var_os(var) {
            None => Ok(None),
            Some(value) => Self::checked(value.as_encoded_bytes(), format!("variable {var}")).map(Some),
        }
    }

    /// The key in a text, without white space around it. `place` says in an error where the text comes from.
    ///
    /// # Errors
    /// [`KeyError`] when it is empty or something that is no key.
    pub fn from_text(text: &str, place: &str) -> Result<Self, KeyError> {
        Self::checked(text.as_bytes(), place.to_owned())
    }

    /// The key in a file, without white space around it. Warns when others may read the file.
    ///
    /// # Errors
    /// [`KeyError`] when the file cannot be read, is empty or holds something that is no key.
    pub fn from_file(path: &Path) -> Result<Self, KeyError> {
        let place = format!("file {}", path.display());
        match read(path) {
            Ok(bytes) if bytes.len() as u64 > MOST_BYTES => {
                Err(KeyError::Malformed { place, what: "more than 16 KiB" })
            }
            Ok(bytes) => Self::checked(&bytes, place),
            Err(source) => Err(KeyError::Unreadable { place, source }),
        }
    }

    fn checked(bytes: &[u8], place: String) -> Result<Self, KeyError> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(KeyError::Malformed { place, what: "bytes that are no UTF-8" });
        };
        let text = text.trim();
        let what = if text.is_empty() {
            return Err(KeyError::Empty { place });
        } else if text.contains(['\n', '\r']) {
            "more than one line"
        } else if text.chars().any(char::is_control) {
            "control characters"
        } else if !text.is_ascii() {
            "characters that are not ASCII"
        } else {
            return Ok(Self::new(text));
        };
        Err(KeyError::Malformed { place, what })
    }

    /// The text with `[key]` instead of this key, plain or percent-encoded. A part of it that was cut off at
    /// the end of the text is replaced too. Nothing is replaced if the key is shorter than eight bytes.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        const MARK: &str = "[key]";
        let key = self.expose();
        if key.len() < SECRET_FROM {
            return text.to_owned();
        }
        let forms = [key.to_owned(), percent_encoded(key, false), percent_encoded(key, true)];
        let mut out = forms.iter().fold(text.to_owned(), |text, form| text.replace(form.as_str(), MARK));
        let body = out.trim_end_matches('…');
        let part_at_end = |form: &String| {
            let mut parts = (PART..form.len()).rev().filter_map(|end| form.get(..end));
            parts.find_map(|part| body.strip_suffix(part)).map(str::len)
        };
        if let Some(start) = forms.iter().find_map(part_at_end) {
            out.truncate(start);
            out.push_str(MARK);
        }
        out
    }

    /// The key itself, for its header.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let file = std::fs::File::open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            tracing::warn!("the key file {} can be read by others; `chmod 600` it", path.display());
        }
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// As in the query of a URL (RFC 3986, section 2.1).
fn percent_encoded(text: &str, lower: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else if lower {
            out.push_str(&format!("%{byte:02x}"));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests;
