//! Where the files are.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::private;

/// The folder that holds the database and the locks. It exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDir {
    root: PathBuf,
}

/// Why there is no data folder.
#[derive(Debug, thiserror::Error)]
pub enum DataDirError {
    /// Nothing says where it should be.
    #[error("there is no place for the data folder: set HOME or XDG_DATA_HOME, or name a folder")]
    NoHome,
    /// It cannot be made, or nothing can be written into it.
    #[error("the data folder {path} cannot be used: {source}; make it writable or name another folder")]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl DataDir {
    /// The named folder, or else `throughline` in the folder that the XDG Base Directory Specification gives for
    /// data: `$XDG_DATA_HOME`, or `~/.local/share`. It is created if it is missing.
    ///
    /// # Errors
    /// [`DataDirError`] when there is no such place, or it cannot be written.
    pub fn new(named: Option<PathBuf>) -> Result<Self, DataDirError> {
        let dir = Self::without_database(named)?;
        match private::prepare_database(&dir.database()) {
            Ok(()) => Ok(dir),
            Err(source) => Err(DataDirError::Unusable { path: dir.root, source }),
        }
    }

    /// The same folder without a database: that is on a server.
    ///
    /// # Errors
    /// As for [`DataDir::new`].
    pub fn without_database(named: Option<PathBuf>) -> Result<Self, DataDirError> {
        let dir = Self { root: Self::place(named).ok_or(DataDirError::NoHome)? };
        let made = private::create_folder(&dir.root).and_then(|()| private::create_folder(&dir.locks()));
        match made {
            Ok(()) => Ok(dir),
            Err(source) => Err(DataDirError::Unusable { path: dir.root, source }),
        }
    }

    /// The folder, if it exists and has a database. It may be impossible to write.
    #[must_use]
    pub fn existing(named: Option<PathBuf>) -> Option<Self> {
        let dir = Self { root: Self::place(named)? };
        dir.database().is_file().then_some(dir)
    }

    /// Where the folder is or would be; nothing is made. `None`: there is no place for it.
    #[must_use]
    pub fn place(named: Option<PathBuf>) -> Option<PathBuf> {
        choose(named, env::var_os("XDG_DATA_HOME"), env::var_os("HOME"))
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The database file.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        Self::database_in(&self.root)
    }

    /// The database file of a data folder, whether it exists or not.
    #[must_use]
    pub fn database_in(root: &Path) -> PathBuf {
        root.join("throughline.db")
    }

    /// The folder of the locks.
    #[must_use]
    pub fn locks(&self) -> PathBuf {
        locks_in(&self.root)
    }
}

/// The folder of the locks in a data folder.
pub(crate) fn locks_in(root: &Path) -> PathBuf {
    root.join("locks")
}

/// An empty variable counts as none, and a relative `XDG_DATA_HOME` is ignored, as the specification asks.
fn choose(named: Option<PathBuf>, xdg: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    named.or_else(|| xdg.map(PathBuf::from).and_then(absolute).map(|data| data.join("throughline"))).or_else(
        || home.map(PathBuf::from).and_then(absolute).map(|home| home.join(".local/share/throughline")),
    )
}

#[cfg(test)]
mod tests;
