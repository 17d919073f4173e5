//! One writer for each session.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use throughline_conversation::SessionId;

use crate::holder::Holder;
use crate::identity::FileIdentity;
#[cfg(feature = "sqlite")]
use crate::lease::Lease;
use crate::lock_error::LockError;
use crate::no_room_error::is_no_room;
use crate::{data_dir, private};

/// The right to write a session. Dropping it gives it back, and so does the end of the process, however it ends:
/// the kernel holds the lock of a file, and the lease of a server expires.
///
/// Programs that this process starts do not inherit it: the file is closed in them.
#[derive(Debug)]
pub struct SessionLock(Held);

#[derive(Debug)]
enum Held {
    File(FileLock),
    #[cfg(feature = "sqlite")]
    Lease(Lease),
}

/// A locked file.
#[derive(Debug)]
struct FileLock {
    file: File,
    path: PathBuf,
}

impl SessionLock {
    /// The lock file, which stays when the lock is given back; `None`: the session is on a server.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.0 {
            Held::File(lock) => Some(&lock.path),
            #[cfg(feature = "sqlite")]
            Held::Lease(_) => None,
        }
    }

    /// The lease of a session on a server.
    #[cfg(feature = "sqlite")]
    pub(crate) fn of_lease(lease: Lease) -> Self {
        Self(Held::Lease(lease))
    }

    /// Gives the lock back, and returns when the next process can take it. A lock on a server that is dropped is given back a moment
    /// later; the drop of the last clone of its store waits for that, for three seconds at most.
    pub async fn give_back(self) {
        match self.0 {
            Held::File(lock) => drop(lock),
            #[cfg(feature = "sqlite")]
            Held::Lease(lease) => lease.give_back().await,
        }
    }

    /// Gives the lock back and removes its file, when the session is deleted. A process that has opened the file before finds
    /// that it is not at its place any more, and takes the next one.
    ///
    /// # Errors
    /// The file cannot be removed. The lock is given back all the same.
    pub fn remove(self) -> io::Result<()> {
        self.path().map_or(Ok(()), std::fs::remove_file)
    }
}

impl Drop for FileLock {
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
                    holder: read_holder(&mut file).map(Box::new),
                    path,
                });
            }
            Err(TryLockError::Error(source)) => return Err(LockError::Unusable { path, source }),
        }
    };
    let text = Holder::this_process().to_text();
    let written = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes()));
    match written {
        // The kernel has the lock; without room it names no holder. So a session can be deleted on a full disk.
        Err(source) if !is_no_room(&source) => Err(unusable(source)),
        _ => Ok(SessionLock(Held::File(FileLock { file, path }))),
    }
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

#[cfg(test)]
mod tests;
