//! One writer for each session.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use throughline_conversation::{Millis, SessionId};

use crate::holder::Holder;
use crate::identity::FileIdentity;
use crate::{data_dir, private};

/// The right to write a session. Dropping it gives it back, and so does the end of the process, however it ends:
/// the kernel holds the lock.
///
/// Programs that this process starts do not inherit it: the file is closed in them.
#[derive(Debug)]
pub struct SessionLock {
    file: File,
    path: PathBuf,
}

/// Why a session cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has the session open.
    #[error("session {session} is open in another process ({}); close it there first", holder_text(holder.as_ref(), path))]
    Held {
        /// The session.
        session: SessionId,
        /// Who has it; `None` when the lock file does not say.
        holder: Option<Holder>,
        /// The lock file.
        path: PathBuf,
    },
    /// The lock file cannot be used.
    #[error(
        "the lock file {path} cannot be used: {source}; make its folder writable or name another data folder"
    )]
    Unusable {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

fn holder_text(holder: Option<&Holder>, path: &Path) -> String {
    holder.map_or_else(|| format!("lock file {}", path.display()), ToString::to_string)
}

impl SessionLock {
    /// The lock file. It stays when the lock is given back.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the lock back and removes its file, when the session is deleted. A process that has opened the file before finds
    /// that it is not at its place any more, and takes the next one.
    ///
    /// # Errors
    /// The file cannot be removed. The lock is given back all the same.
    pub fn remove(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        // An unlocked file that names a holder is harmless, so a failure here is too.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

/// Takes the lock of a session in a data folder, without waiting.
///
/// # Errors
/// [`LockError::Held`] when another process, or another part of this one, has it.
pub fn lock_session(data_dir: &Path, session: &SessionId) -> Result<SessionLock, LockError> {
    let folder = data_dir::locks_in(data_dir);
    let path = folder.join(format!("{session}.lock"));
    let unusable = |source| LockError::Unusable { path: path.clone(), source };
    private::create_folder(&folder).map_err(unusable)?;
    let mut file = loop {
        let mut file = private::open_file(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) if FileIdentity::of_open(&file) == FileIdentity::of(&path) => break file,
            // Removed between the two calls: its lock excludes no other process.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held {
                    session: session.clone(),
                    holder: read_holder(&mut file),
                    path,
                });
            }
            Err(TryLockError::Error(source)) => return Err(LockError::Unusable { path, source }),
        }
    };
    let text = this_process().to_text();
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| file.write_all(text.as_bytes()))
        .map_err(unusable)?;
    Ok(SessionLock { file, path })
}

/// A holder writes its name just after it gets the lock, so an empty file is looked at again a little later.
fn read_holder(file: &mut File) -> Option<Holder> {
    for _ in 0..5 {
        let mut text = String::new();
        if file.rewind().and_then(|()| file.read_to_string(&mut text)).is_ok()
            && let Some(holder) = Holder::parse(&text)
        {
            return Some(holder);
        }
        sleep(Duration::from_millis(10));
    }
    None
}

fn this_process() -> Holder {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let program = std::env::args_os().next().map(PathBuf::from);
    let name = program.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    Holder {
        pid: std::process::id(),
        since: Millis(i64::try_from(now).unwrap_or(i64::MAX)),
        program: name.unwrap_or_else(|| "unknown program".to_owned()).replace('\n', " "),
    }
}

#[cfg(test)]
mod tests;
