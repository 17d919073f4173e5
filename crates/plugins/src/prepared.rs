//! A marketplace or a plugin that has been fetched, and is not used yet.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::error::{Attempt as _, Result};
use crate::marketplace::Marketplace;
use crate::plugin::Plugin;
use crate::registry::{MarketplaceRecord, PluginRecord};

/// A marketplace that has been read. Its clone is in a temporary folder until it is placed.
#[derive(Debug)]
pub struct PreparedMarketplace {
    /// What it lists.
    pub marketplace: Marketplace,
    pub(crate) record: MarketplaceRecord,
    /// The clone and its place; `None`: it is a folder of the user.
    pub(crate) clone: Option<(TempDir, PathBuf)>,
}

impl PreparedMarketplace {
    /// Puts its clone in place of an older one. Returns what is to be recorded.
    ///
    /// # Errors
    /// The clone cannot be moved. An older one stays.
    pub fn place(self) -> Result<MarketplaceRecord> {
        if let Some((clone, place)) = self.clone {
            move_to(clone, &place)?;
        }
        Ok(self.record)
    }
}

/// The copy of a plugin in a temporary folder.
#[derive(Debug)]
pub struct PreparedPlugin {
    /// What it has.
    pub plugin: Plugin,
    /// What is to be recorded once it is in place.
    pub record: PluginRecord,
    pub(crate) copy: TempDir,
    pub(crate) place: PathBuf,
}

impl PreparedPlugin {
    /// Puts the copy in place, by one rename.
    ///
    /// # Errors
    /// The copy cannot be moved.
    pub fn place(self) -> Result<PluginRecord> {
        move_to(self.copy, &self.place)?;
        Ok(self.record)
    }
}

/// Moves a temporary folder. What is at the place is removed first: it is an older clone, or has the same content.
fn move_to(from: TempDir, place: &PathBuf) -> Result<()> {
    let cannot = || format!("cannot write {}", place.display());
    if let Some(above) = place.parent() {
        fs::create_dir_all(above).attempt(cannot)?;
    }
    if place.symlink_metadata().is_ok() {
        fs::remove_dir_all(place).attempt(cannot)?;
    }
    fs::rename(from.path(), place).attempt(cannot)?;
    // It has moved: there is nothing to remove any more.
    let _ = from.keep();
    Ok(())
}
