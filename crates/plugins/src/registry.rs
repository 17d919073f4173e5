//! Which marketplaces are known, and which plugins are installed: values that the caller stores.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::origin::MarketplaceOrigin;

/// A known marketplace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarketplaceRecord {
    /// Where it is.
    pub origin: MarketplaceOrigin,
    /// The commit of its clone; `None`: it is a folder, which is read where it is.
    pub commit: Option<String>,
}

/// An installed plugin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginRecord {
    /// The marketplace that listed it.
    pub marketplace: String,
    /// Its place, as shown.
    pub source: String,
    /// Its version, if it says one.
    pub version: Option<String>,
    /// The commit of the repository that it came from, if it came from one.
    pub commit: Option<String>,
    /// Sessions use it.
    pub enabled: bool,
    /// A digest of what it could run, to which the user has agreed. Empty: it runs nothing.
    pub runs: String,
    /// A digest of its files, which is the name of the folder of its copy.
    pub files: String,
}

/// The marketplaces and the plugins, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Registry {
    /// The known marketplaces.
    pub marketplaces: BTreeMap<String, MarketplaceRecord>,
    /// The installed plugins.
    pub plugins: BTreeMap<String, PluginRecord>,
}
