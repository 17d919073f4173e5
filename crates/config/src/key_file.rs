//! Making the file of an encryption key.

use std::io::ErrorKind;
use std::path::Path;

use throughline_store::{EncryptionKey, KeyId};

use crate::error::{Attempt as _, ConfigError, Result};
use crate::secret_file::write_new_secret;

/// Writes a new random key into a new file, for the owner's eyes alone (0600). Returns the number by which the key is known.
///
/// # Errors
/// The file exists, which is left unchanged, or cannot be written.
pub fn new_key_file(file: &Path) -> Result<KeyId> {
    let shown = file.display();
    let text = EncryptionKey::new_text().attempt(|| "the system gave no random bytes".to_owned())?;
    match write_new_secret(file, &text) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(ConfigError::Refused(format!("{shown} exists and is never overwritten; name a new file")))
        }
        written => written.attempt(|| format!("the key could not be written to {shown}")),
    }?;
    Ok(EncryptionKey::from_text(&text).attempt(|| format!("{shown} holds no key"))?.id())
}
