//! Where the key of the data folder comes from.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use throughline_settings::{Resolved, keys};
use throughline_store::EncryptionKey;
use throughline_text::headline;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use zeroize::Zeroizing;

use crate::error::{Attempt as _, ConfigError, Result};
use crate::folders::without_tilde;

/// How long a command may take: its user may have to type a password.
const PATIENCE: Duration = Duration::from_secs(120);
/// Maximum bytes that are read of a file or of a command's output.
const MAX_KEY_BYTES: usize = 4_096;
/// Maximum characters of a command's message that an error shows.
const SHOWN: usize = 200;

/// Where the key of the data folder comes from. `Debug` shows no key.
#[derive(Debug, Clone, Default)]
pub enum StorageKey {
    /// No key: new values are not encrypted.
    #[default]
    None,
    /// A file, for its owner's eyes alone.
    File(PathBuf),
    /// The first line that a command line prints, which `sh` runs.
    Command(String),
    /// The caller has it.
    Given(EncryptionKey),
    /// The settings cannot be read, for this reason: they may name a key.
    Unknown(String),
}

impl StorageKey {
    /// The one that settings name.
    pub(crate) fn of(settings: &Resolved) -> Self {
        match (settings.get(keys::ENCRYPTION_KEY_FILE), settings.get(keys::ENCRYPTION_KEY_COMMAND)) {
            (Some(file), _) => Self::File(without_tilde(&file)),
            (None, Some(command)) => Self::Command(command),
            (None, None) => Self::None,
        }
    }

    /// Fails unless this file can be the value of `encryption.key_file`.
    ///
    /// # Errors
    /// The file cannot be read, is open to others or holds no key.
    pub fn check_file(file: &str) -> Result<()> {
        of_file(&without_tilde(file)).map(drop)
    }

    /// Reads the key.
    ///
    /// # Errors
    /// The file cannot be read, is open to others or holds no key, or the command fails.
    pub async fn load(&self) -> Result<Option<EncryptionKey>> {
        match self {
            Self::None | Self::Unknown(_) => Ok(None),
            Self::Given(key) => Ok(Some(key.clone())),
            Self::File(file) => of_file(file).map(Some),
            Self::Command(command) => of_command(command).await.map(Some),
        }
    }
}

fn of_file(file: &Path) -> Result<EncryptionKey> {
    let attempt =
        || format!("the encryption key could not be read from {} (encryption.key_file)", file.display());
    if !file.is_absolute() {
        return Err(ConfigError::usage(format!(
            "encryption.key_file is {:?}: write an absolute path, or one that begins with ~/",
            file.display().to_string()
        )));
    }
    let opened = std::fs::File::open(file).attempt(attempt)?;
    let found = opened.metadata().attempt(attempt)?;
    if found.is_dir() {
        return Err("it is a folder; name a file").attempt(attempt);
    }
    others_cannot_read(&found).attempt(attempt)?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_KEY_BYTES + 1));
    std::io::Read::read_to_end(&mut std::io::Read::take(opened, MAX_KEY_BYTES as u64 + 1), &mut bytes)
        .attempt(attempt)?;
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    EncryptionKey::from_text(text).attempt(attempt)
}

#[cfg(unix)]
fn others_cannot_read(found: &std::fs::Metadata) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = found.permissions().mode();
    // A pipe or a device is not a file that stays.
    if !found.is_file() || mode & 0o077 == 0 {
        return Ok(());
    }
    Err(format!("its mode {:03o} lets other users at it; close it to them: chmod 600", mode & 0o777))
}

#[cfg(not(unix))]
fn others_cannot_read(_found: &std::fs::Metadata) -> Result<(), String> {
    Ok(())
}

async fn of_command(command: &str) -> Result<EncryptionKey> {
    let attempt = || format!("the encryption key could not be had from {command:?} (encryption.key_command)");
    let shell = throughline_programs::find("sh").ok_or("there is no sh").attempt(attempt)?;
    let mut running = Command::new(shell);
    running.env("PATH", throughline_programs::search_path());
    running.arg("-c").arg(command).kill_on_drop(true);
    running.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = running.spawn().attempt(attempt)?;
    let (out, err) = (running.stdout.take(), running.stderr.take());
    let ended = async {
        let (out, err) = tokio::join!(read(out), read(err));
        (running.wait().await, out, err)
    };
    let Ok((status, out, err)) = tokio::time::timeout(PATIENCE, ended).await else {
        return Err(format!("it did not end within {} seconds", PATIENCE.as_secs())).attempt(attempt);
    };
    let status = status.attempt(attempt)?;
    if !status.success() {
        let said = headline(&String::from_utf8_lossy(&err), SHOWN);
        let said = if said.is_empty() { said } else { format!(": {said}") };
        return Err(format!("it failed with {status}{said}")).attempt(attempt);
    }
    let text = std::str::from_utf8(&out).unwrap_or_default();
    EncryptionKey::from_text(text.lines().next().unwrap_or_default()).attempt(attempt)
}

/// What a pipe gives, up to a limit. Its room is all there at once: one that grows leaves copies behind.
async fn read(pipe: Option<impl AsyncRead + Unpin>) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(MAX_KEY_BYTES + 1));
    if let Some(pipe) = pipe {
        // What cannot be read is missing from the key, which is then none.
        let _ = pipe.take(MAX_KEY_BYTES as u64).read_to_end(&mut bytes).await;
    }
    bytes
}

#[cfg(test)]
mod tests;
