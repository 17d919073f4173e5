//! The secret that clients over HTTP show.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::error::ServeError;

/// The file of the token in the data folder.
const FILE: &str = "mcp-token";

/// Random bytes of a token.
const BYTES: usize = 32;

/// A secret. It is never shown.
#[derive(Clone)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// The token of a data folder, and its file. It is made on first use, for the owner's eyes alone.
    ///
    /// # Errors
    /// [`ServeError::Token`]: the file cannot be read or written, or holds no token.
    pub fn of_folder(folder: &Path) -> Result<(Self, PathBuf), ServeError> {
        let file = folder.join(FILE);
        let failed = |source| ServeError::Token { file: file.clone(), source };
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => create(folder, &file).map_err(failed)?,
            read => read.map_err(failed)?,
        };
        let token = text.trim();
        if token.len() != 2 * BYTES || !token.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let why = "it holds no token; delete it, and the next start makes a new one";
            return Err(failed(io::Error::new(ErrorKind::InvalidData, why)));
        }
        Ok((Self(token.to_owned()), file))
    }

    /// Returns true if a text is the token. Takes the same time wherever the two differ.
    pub(crate) fn is(&self, given: &str) -> bool {
        Sha256::digest(self.0.as_bytes()) == Sha256::digest(given.as_bytes())
    }
}

/// Writes a new token as a whole, and returns what is in the file: another process may have been first.
fn create(folder: &Path, file: &Path) -> io::Result<String> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(new, "{token}")?;
    match new.persist_noclobber(file) {
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => fs::read_to_string(file),
    }
}

#[cfg(test)]
mod tests;
