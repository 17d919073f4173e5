//! The secret that clients of a server over HTTP show.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use sha2::{Digest as _, Sha256};
use throughline_text::hexadecimal;

use crate::error::{Attempt as _, Result};
use crate::secret_file::write_new_secret;

/// Random bytes of a token.
const BYTES: usize = 32;

/// A server whose clients show a token. Each has its own: they do not let a client do the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenUse {
    /// The HTTP server of sessions, and its inspector.
    Sessions,
    /// The MCP server, whose clients see one folder's sessions.
    Memory,
}

impl TokenUse {
    /// All.
    const ALL: [Self; 2] = [Self::Sessions, Self::Memory];

    const fn file(self) -> &'static str {
        match self {
            Self::Sessions => "server-token",
            Self::Memory => "mcp-token",
        }
    }
}

/// Files that hold tokens of this process and are named by its caller.
static NAMED: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// The files that hold tokens: those of a data folder, and those that [`AccessToken::of_file`] has read. A command that reads
/// one could change sessions, or answer its own approvals.
pub fn token_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let named = NAMED.read().unwrap_or_else(PoisonError::into_inner).clone();
    TokenUse::ALL.into_iter().map(|of| folder.join(of.file())).chain(named)
}

/// A secret. `Debug` does not show it.
#[derive(Clone)]
pub struct AccessToken(String);

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

impl AccessToken {
    /// The token of a server in a data folder, and the file that holds it. It is made on first use, for the owner's eyes alone.
    ///
    /// # Errors
    /// The file cannot be read or written, or holds no token.
    pub fn of_folder(folder: &Path, of: TokenUse) -> Result<(Self, PathBuf)> {
        let file = folder.join(of.file());
        let attempt =
            || format!("the token for clients cannot be read from or written to {}", file.display());
        let text = match fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => create(&file).attempt(attempt)?,
            read => read.attempt(attempt)?,
        };
        let why = "it holds no token; delete it, and the next start makes a new one";
        let token = Self::parse(&text).ok_or(why).attempt(attempt)?;
        Ok((token, file))
    }

    /// The token in a file that the caller names, which several servers may share. It is never made.
    ///
    /// # Errors
    /// The file cannot be read, or holds no token.
    pub fn of_file(file: &Path) -> Result<Self> {
        let attempt = || format!("the token for clients cannot be read from {}", file.display());
        let text = fs::read_to_string(file).attempt(attempt)?;
        let why = "it must hold 64 hexadecimal digits, as `openssl rand -hex 32` prints";
        let token = Self::parse(&text).ok_or(why).attempt(attempt)?;
        let file = std::path::absolute(file).attempt(attempt)?;
        NAMED.write().unwrap_or_else(PoisonError::into_inner).push(file);
        Ok(token)
    }

    fn parse(text: &str) -> Option<Self> {
        let token = text.trim();
        let is_token = token.len() == 2 * BYTES && token.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_token.then(|| Self(token.to_owned()))
    }

    /// Returns true if a text is the token. Takes the same time wherever the two differ.
    #[must_use]
    pub fn is(&self, given: &str) -> bool {
        Sha256::digest(self.0.as_bytes()) == Sha256::digest(given.as_bytes())
    }

    /// The secret, to be given to its owner.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Writes a new token as a whole, and returns what is in the file: another process may have been first.
fn create(file: &Path) -> io::Result<String> {
    let mut random = [0; BYTES];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    let token = hexadecimal(&random);
    match write_new_secret(file, &token) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => fs::read_to_string(file),
    }
}

#[cfg(test)]
mod tests;
