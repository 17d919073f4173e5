//! Keys of providers, and logins to MCP servers, that the user has stored.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use throughline_providers::http::Key;

use crate::error::{Attempt as _, Result};
use crate::folders::config_folder;
use crate::json_file::lock;
use crate::secret_file::write_secret;

/// Keys that the user has stored: one file for each in a folder, which only the owner may read. They are not in the settings,
/// which people copy and share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKeys {
    folder: PathBuf,
}

impl StoredKeys {
    /// Those of the user: `keys` in the config folder. `None`: there is no such folder, because neither `XDG_CONFIG_HOME` nor
    /// `HOME` is set.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        Some(Self { folder: config_folder()?.join("keys") })
    }

    /// Those in a folder, which need not exist.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder, whether it exists or not.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file with the key of this name, if one is stored.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        Some(self.file(name)).filter(|file| file.is_file())
    }

    /// Of these names the one whose key was stored last.
    #[must_use]
    pub fn newest<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        let stored = names.into_iter().filter_map(|name| {
            let changed = fs::metadata(self.find(name)?).and_then(|data| data.modified()).ok()?;
            Some((changed, name))
        });
        stored.max_by_key(|(changed, _)| *changed).map(|(_, name)| name)
    }

    /// Stores a key, in place of one of the same name. Returns its file.
    ///
    /// # Errors
    /// The text is no key, or the file cannot be written. An older key stays then.
    pub fn store(&self, name: &str, key: &str) -> Result<PathBuf> {
        let file = self.file(name);
        Key::from_text(key, "the input").attempt(|| "this key cannot be stored".to_owned())?;
        write_secret(&file, key.trim())
            .attempt(|| format!("the key could not be written to {}", file.display()))?;
        Ok(file)
    }

    /// The text of this name, which may be longer than a key; `None` if none is stored.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Option<String>> {
        match fs::read_to_string(self.file(name)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stores a text as a key is stored: a login of an MCP server.
    ///
    /// # Errors
    /// The file cannot be written. An older text stays then.
    pub fn write(&self, name: &str, text: &str) -> io::Result<()> {
        write_secret(&self.file(name), text)
    }

    /// Locks a name against other processes, until the returned file is dropped.
    ///
    /// # Errors
    /// Another process holds the lock for ten seconds, or the folder cannot be written to.
    pub fn lock(&self, name: &str) -> Result<File> {
        lock(&self.file(name))
    }

    /// Deletes a key, or a text. Returns false if none of this name is stored.
    ///
    /// # Errors
    /// The file cannot be deleted.
    pub fn remove(&self, name: &str) -> Result<bool> {
        let file = self.file(name);
        match fs::remove_file(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            removed => removed
                .map(|()| true)
                .attempt(|| format!("the key could not be deleted from {}", file.display())),
        }
    }

    /// Names of servers have colons and the like, which become `_`, as a dot at the start does.
    fn file(&self, name: &str) -> PathBuf {
        let plain = |(at, letter): (usize, char)| match letter {
            '.' if at > 0 => letter,
            '-' | '_' => letter,
            letter if letter.is_ascii_alphanumeric() => letter,
            _ => '_',
        };
        self.folder.join(name.char_indices().map(plain).collect::<String>())
    }
}

#[cfg(test)]
mod tests;
