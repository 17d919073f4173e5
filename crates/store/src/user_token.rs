//! What a user of `throughline serve` shows: a secret, of which the database has the digest.

use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use throughline_conversation::Millis;
use throughline_text::hexadecimal;

/// What the secrets begin with, so that scanners for secrets recognise them.
const PREFIX: &str = "tl_";

/// Random bytes of a secret.
const SECRET: usize = 32;

/// Random bytes of an id.
const ID: usize = 4;

/// Maximum bytes of the name of a user.
const MAX_NAME: usize = 64;

/// What a user may do. Each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UserRights {
    /// Read sessions.
    Read,
    /// Run turns in them, and change them.
    Run,
    /// Everything: settings, tokens and the audit log, too.
    Admin,
}

impl UserRights {
    /// All, the least first.
    pub const ALL: [Self; 3] = [Self::Read, Self::Run, Self::Admin];

    /// How they are written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Run => "run",
            Self::Admin => "admin",
        }
    }

    /// The rights of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rights| rights.name() == name)
    }
}

/// A token of a user, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserToken {
    /// Eight hexadecimal digits, which the secret repeats.
    pub id: String,
    /// The user. Several tokens may be of one.
    pub user: String,
    /// What its user may do.
    pub rights: UserRights,
    /// The folders whose sessions it opens, with those below them; none: all folders.
    pub folders: Vec<PathBuf>,
    /// SHA-256 of the secret, in hexadecimal digits.
    ///
    /// A slow hash protects what can be guessed. The secret has 256 random bits, so no guess succeeds, and each request
    /// computes the hash.
    pub(crate) digest: String,
    /// When it was made.
    pub created: Millis,
    /// From when it is refused; `None`: it does not expire.
    pub expires: Option<Millis>,
    /// When it was revoked.
    pub revoked: Option<Millis>,
}

/// Why a text is no name of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the name of a user has 1 to 64 letters, digits and signs of `.-_@+`, and begins with a letter or a digit"
)]
pub struct InvalidUserName;

impl UserToken {
    /// A new token, and its secret, which nothing stores. It expires after `lifetime`, or never.
    ///
    /// # Errors
    /// [`InvalidUserName`] as the source of an [`io::Error`], or the system gives no random bytes.
    pub fn issue(
        user: &str,
        rights: UserRights,
        folders: Vec<PathBuf>,
        created: Millis,
        lifetime: Option<Duration>,
    ) -> io::Result<(Self, String)> {
        check_name(user).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        let (id, secret) = (random::<ID>()?, random::<SECRET>()?);
        let secret = format!("{PREFIX}{id}_{secret}");
        let digest = digest(&secret);
        let user = user.to_owned();
        let expires = lifetime
            .map(|span| Millis(created.0.saturating_add_unsigned(span.as_secs().saturating_mul(1_000))));
        Ok((Self { id, user, rights, folders, digest, created, expires, revoked: None }, secret))
    }

    /// The id in a secret; `None`: it is no secret of a user's token.
    #[must_use]
    pub fn id_in(secret: &str) -> Option<&str> {
        let (id, rest) = secret.strip_prefix(PREFIX)?.split_once('_')?;
        let is_whole = id.len() == 2 * ID && rest.len() == 2 * SECRET;
        (is_whole && id.bytes().chain(rest.bytes()).all(|byte| byte.is_ascii_hexdigit())).then_some(id)
    }

    /// Returns true if this is the token of a secret. Takes the same time wherever the two differ.
    #[must_use]
    pub fn accepts(&self, secret: &str) -> bool {
        let given = digest(secret);
        let differences = self
            .digest
            .bytes()
            .zip(given.bytes())
            .fold(0, |all, (own, other)| black_box(all | (own ^ other)));
        self.digest.len() == given.len() && differences == 0
    }

    /// Returns true if it is neither revoked nor expired.
    #[must_use]
    pub fn is_valid(&self, at: Millis) -> bool {
        self.revoked.is_none() && self.expires.is_none_or(|expires| at < expires)
    }
}

/// Fails if a text cannot be the name of a user.
fn check_name(name: &str) -> Result<(), InvalidUserName> {
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_@+".contains(&byte);
    if begins && name.len() <= MAX_NAME && name.bytes().all(fits) { Ok(()) } else { Err(InvalidUserName) }
}

fn digest(secret: &str) -> String {
    hexadecimal(&Sha256::digest(secret.as_bytes()))
}

fn random<const BYTES: usize>() -> io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hexadecimal(&bytes))
}

#[cfg(test)]
mod tests;
