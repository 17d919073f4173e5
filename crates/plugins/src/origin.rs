//! Where a marketplace is, by what the user writes.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{PluginError, Result};

/// Protocols of the addresses that are cloned.
const PROTOCOLS: [&str; 5] = ["https://", "http://", "ssh://", "git://", "file://"];

/// Where a marketplace is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MarketplaceOrigin {
    /// A folder, which is read where it is.
    Folder(PathBuf),
    /// A Git repository, which is cloned.
    Git {
        /// Its address.
        url: String,
        /// A branch, a tag or a commit; `None`: what the repository shows first.
        reference: Option<String>,
    },
}

impl MarketplaceOrigin {
    /// Reads a folder, the address of a Git repository (`#REF` names a branch, a tag or a commit), or `OWNER/REPO` on GitHub. A
    /// folder without a list of plugins that is a Git repository is cloned.
    ///
    /// # Errors
    /// [`PluginError::Usage`]: it is nothing of these.
    pub fn parse(written: &str) -> Result<Self> {
        let path = Path::new(written);
        if path.is_dir() {
            let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let is_bare = path.join("HEAD").is_file() && path.join("objects").is_dir();
            return Ok(match is_bare {
                true => Self::Git { url: path.display().to_string(), reference: None },
                false => Self::Folder(path),
            });
        }
        let (address, reference) = match written.split_once('#') {
            Some((address, reference)) if !reference.is_empty() => (address, Some(reference.to_owned())),
            _ => (written, None),
        };
        if let Some(url) = github(address) {
            return Ok(Self::Git { url, reference });
        }
        is_clonable(address).map_err(PluginError::Usage)?;
        Ok(Self::Git { url: address.to_owned(), reference })
    }
}

impl std::fmt::Display for MarketplaceOrigin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folder(path) => write!(out, "{}", path.display()),
            Self::Git { url, reference: None } => out.write_str(url),
            Self::Git { url, reference: Some(reference) } => write!(out, "{url}#{reference}"),
        }
    }
}

/// The address of `OWNER/REPO` on GitHub; `None`: it is something else.
pub(crate) fn github(text: &str) -> Option<String> {
    let (owner, name) = text.split_once('/')?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_word =
        |word: &str| !word.is_empty() && !word.starts_with(['.', '-']) && word.chars().all(is_plain);
    let name = name.strip_suffix(".git").unwrap_or(name);
    (is_word(owner) && is_word(name)).then(|| format!("https://github.com/{owner}/{name}.git"))
}

/// Checks that git may be given an address.
///
/// # Errors
/// It is no address, or has a password in it, which would be stored.
pub(crate) fn is_clonable(url: &str) -> Result<(), String> {
    let protocol = PROTOCOLS.iter().find_map(|protocol| url.strip_prefix(protocol));
    // `git@host:path`, as ssh writes it.
    let is_ssh = url.split_once(':').is_some_and(|(host, path)| host.contains('@') && !path.starts_with('/'));
    let Some(rest) = protocol.or(is_ssh.then_some("")) else {
        return Err(format!(
            "there is no folder {url:?}, and it is no address of a Git repository; write a folder, https://HOST/REPO.git or OWNER/REPO"
        ));
    };
    let host = rest.split('/').next().unwrap_or_default();
    if host.rsplit_once('@').is_some_and(|(user, _)| user.contains(':')) {
        return Err(
            "the address has a password, which would be stored; leave it to the credential helper of git"
                .to_owned(),
        );
    }
    if url.starts_with('-') || url.contains(char::is_whitespace) || url.chars().any(char::is_control) {
        return Err("the address has characters that no address has; write it without them".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
