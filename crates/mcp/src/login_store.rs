//! Where logins are stored.

use std::any::Any;
use std::fmt::Debug;
use std::io::Result;

/// Stores the logins to servers: short texts with tokens, by key.
///
/// A login outlives the session: it is made by one process, and renewed by any other that uses the server.
///
/// # Contract
/// An implementation MUST let only the user read a text, MUST write it as a whole or not at all, and MUST let one holder
/// at a time have the lock of a key, across processes. `read` and `write` do not take the lock.
///
/// # When it fails
/// The server counts as one without a login, and the user reads why.
pub trait LoginStore: Debug + Send + Sync {
    /// The text of a key; `None` if no text is stored.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&self, key: &str) -> Result<Option<String>>;

    /// Stores a text, in place of an older one.
    ///
    /// # Errors
    /// It cannot be written. The older one stays.
    fn write(&self, key: &str, text: &str) -> Result<()>;

    /// Deletes a text. Returns false if no text is stored.
    ///
    /// # Errors
    /// It cannot be deleted.
    fn remove(&self, key: &str) -> Result<bool>;

    /// Waits for the lock of a key, which ends when the returned value is dropped.
    ///
    /// # Errors
    /// Another process holds it for too long.
    fn lock(&self, key: &str) -> Result<Box<dyn Any + Send>>;
}

const _: fn(&dyn LoginStore) = |_| {};
