//! The folder of plugins: clones of marketplaces, and a copy of each plugin.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use throughline_git::GitCli;

use crate::copying::copy;
use crate::error::{Attempt as _, PluginError, Result};
use crate::fingerprint::{of_folder, of_what_runs};
use crate::inside::real;
use crate::manifest::MANIFEST;
use crate::marketplace::{ListedPlugin, Marketplace, PluginSource};
use crate::origin::MarketplaceOrigin;
use crate::plugin::Plugin;
use crate::prepared::{PreparedMarketplace, PreparedPlugin};
use crate::registry::{MarketplaceRecord, PluginRecord};

/// Where a plugin came from while it is fetched.
#[derive(Debug)]
struct Fetched {
    folder: PathBuf,
    commit: Option<String>,
    /// Is removed with the clone in it.
    _clone: Option<TempDir>,
}

/// The folder of plugins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginHome {
    root: PathBuf,
}

impl PluginHome {
    /// The one in this folder, which need not exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The file of the registry, which the caller reads and writes.
    #[must_use]
    pub fn registry_file(&self) -> PathBuf {
        self.root.join("registry.json")
    }

    /// The folder of a plugin's copy.
    #[must_use]
    pub fn copy_of(&self, name: &str, record: &PluginRecord) -> PathBuf {
        self.copies(name).join(&record.files)
    }

    /// The folder of a known marketplace.
    #[must_use]
    pub fn marketplace(&self, name: &str, record: &MarketplaceRecord) -> PathBuf {
        match &record.origin {
            MarketplaceOrigin::Folder(folder) => folder.clone(),
            MarketplaceOrigin::Git { .. } => self.clone_of(name),
        }
    }

    /// Reads a marketplace, or clones it into a temporary folder.
    ///
    /// # Errors
    /// It cannot be cloned, or its list cannot be used.
    pub async fn fetch_marketplace(&self, origin: MarketplaceOrigin) -> Result<PreparedMarketplace> {
        let (url, reference) = match &origin {
            MarketplaceOrigin::Folder(folder) => {
                let marketplace = Marketplace::read(folder)?;
                let record = MarketplaceRecord { origin, commit: None };
                return Ok(PreparedMarketplace { marketplace, record, clone: None });
            }
            MarketplaceOrigin::Git { url, reference } => (url, reference.as_deref()),
        };
        let (clone, commit) = self.clone_from(url, reference).await?;
        let marketplace = Marketplace::read(clone.path())?;
        let place = self.clone_of(&marketplace.name);
        let record = MarketplaceRecord { origin, commit: Some(commit) };
        Ok(PreparedMarketplace { marketplace, record, clone: Some((clone, place)) })
    }

    /// Copies a plugin of a marketplace into a temporary folder and reads it. `commit`: of the marketplace, if it is a clone.
    ///
    /// # Errors
    /// Its place cannot be used, it cannot be cloned or copied, or its manifest cannot be used.
    pub async fn fetch_plugin(
        &self,
        marketplace: &Marketplace,
        listed: &ListedPlugin,
        commit: Option<String>,
    ) -> Result<PreparedPlugin> {
        let fetched = self.fetch(marketplace, listed, commit).await?;
        let copied = self.temporary()?;
        copy(&fetched.folder, copied.path())?;
        write_missing_manifest(copied.path(), listed)?;
        let plugin = Plugin::read(copied.path())?;
        if plugin.name != listed.name {
            return Err(PluginError::refused(format!(
                "the marketplace {} lists a plugin {}, whose {MANIFEST} says {}; one of them has to be corrected there",
                marketplace.name, listed.name, plugin.name
            )));
        }
        let record = PluginRecord {
            marketplace: marketplace.name.clone(),
            source: listed.source.to_string(),
            version: plugin.version.clone().or_else(|| listed.version.clone()),
            commit: fetched.commit,
            enabled: true,
            runs: of_what_runs(&plugin)?,
            files: of_folder(copied.path())?,
        };
        let place = self.copy_of(&plugin.name, &record);
        Ok(PreparedPlugin { plugin, record, copy: copied, place })
    }

    /// Returns true if the copy of a plugin is what was installed.
    #[must_use]
    pub fn is_whole(&self, name: &str, record: &PluginRecord) -> bool {
        of_folder(&self.copy_of(name, record)).is_ok_and(|files| files == record.files)
    }

    /// Removes the copies of a plugin but these.
    ///
    /// # Errors
    /// A copy cannot be removed.
    pub fn remove_copies(&self, name: &str, but: &[&PluginRecord]) -> Result<()> {
        let staying: BTreeSet<&str> = but.iter().map(|record| record.files.as_str()).collect();
        let folder = self.copies(name);
        let Ok(entries) = folder.read_dir() else { return Ok(()) };
        for entry in entries.flatten() {
            if !entry.file_name().to_str().is_some_and(|name| staying.contains(name)) {
                let path = entry.path();
                fs::remove_dir_all(&path).attempt(|| format!("cannot remove {}", path.display()))?;
            }
        }
        if staying.is_empty() {
            fs::remove_dir(&folder).attempt(|| format!("cannot remove {}", folder.display()))?;
        }
        Ok(())
    }

    /// Removes the clone of a marketplace. It need not exist.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove_clone(&self, name: &str) -> Result<()> {
        let clone = self.clone_of(name);
        if clone.symlink_metadata().is_err() {
            return Ok(());
        }
        fs::remove_dir_all(&clone).attempt(|| format!("cannot remove {}", clone.display()))
    }

    /// Where the files of a plugin are now.
    async fn fetch(
        &self,
        marketplace: &Marketplace,
        listed: &ListedPlugin,
        commit: Option<String>,
    ) -> Result<Fetched> {
        let in_folder = |root: &Path, path: &Path| {
            let found = real(root, path).map_err(|why| {
                PluginError::refused(format!("plugin {} of {}: {why}", listed.name, marketplace.name))
            })?;
            found.filter(|folder| folder.is_dir()).ok_or_else(|| {
                PluginError::refused(format!(
                    "plugin {} of {}: there is no folder {}; the marketplace has to be corrected",
                    listed.name,
                    marketplace.name,
                    root.join(path).display()
                ))
            })
        };
        match &listed.source {
            PluginSource::Unknown(why) => {
                Err(PluginError::refused(format!("plugin {} of {}: {why}", listed.name, marketplace.name)))
            }
            PluginSource::Folder(path) => {
                Ok(Fetched { folder: in_folder(&marketplace.root, path)?, commit, _clone: None })
            }
            PluginSource::Git { url, reference, folder } => {
                let (clone, commit) = self.clone_from(url, reference.as_deref()).await?;
                let root =
                    clone.path().canonicalize().attempt(|| format!("cannot read the clone of {url}"))?;
                Ok(Fetched { folder: in_folder(&root, folder)?, commit: Some(commit), _clone: Some(clone) })
            }
        }
    }

    async fn clone_from(&self, url: &str, reference: Option<&str>) -> Result<(TempDir, String)> {
        let folder = self.temporary()?;
        let commit = GitCli::new(folder.path()).fetch_from(url, reference).await;
        let commit = commit.attempt(|| format!("cannot clone {url}"))?;
        Ok((folder, commit))
    }

    /// An empty folder on the same disk, for a rename.
    fn temporary(&self) -> Result<TempDir> {
        let folder = self.root.join("temporary");
        let cannot = || format!("cannot write {}", folder.display());
        fs::create_dir_all(&folder).attempt(cannot)?;
        tempfile::Builder::new().prefix("new-").tempdir_in(&folder).attempt(cannot)
    }

    fn copies(&self, name: &str) -> PathBuf {
        self.root.join("installed").join(name)
    }

    fn clone_of(&self, name: &str) -> PathBuf {
        self.root.join("marketplaces").join(name)
    }
}

/// A plugin without a manifest is what its marketplace says of it: the copy gets that as its manifest.
fn write_missing_manifest(copy: &Path, listed: &ListedPlugin) -> Result<()> {
    let place = copy.join(MANIFEST);
    if place.symlink_metadata().is_ok() {
        return Ok(());
    }
    let cannot = || format!("cannot write {}", place.display());
    if let Some(above) = place.parent() {
        fs::create_dir_all(above).attempt(cannot)?;
    }
    let text = Value::Object(listed.entry.clone()).to_string();
    fs::write(&place, text).attempt(cannot)
}

#[cfg(test)]
mod tests;
