//! Plugins in the folder format of Claude Code: what one has, where it comes from, and its installed copy.
//!
//! [`Plugin::read`] reads a folder with `.claude-plugin/plugin.json` and finds its commands, sub-agents, skills, hooks and MCP
//! servers. [`Marketplace::read`] reads a list of plugins with the place of each. [`PluginHome`] is the folder of installed copies:
//! it fetches marketplaces and plugins into temporary folders, and puts a copy in place by one rename. [`Registry`] says which
//! plugins are installed and enabled; the caller stores it.
//!
//! Everything in a plugin was written by a stranger. No path of it leads out of its folder, links included; files and sizes are
//! bounded; a part that cannot be used is a notice with its place and the fix.
//!
//! ```
//! use throughline_plugins::Plugin;
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::create_dir_all(folder.path().join(".claude-plugin"))?;
//! std::fs::write(folder.path().join(".claude-plugin/plugin.json"), r#"{ "name": "greeter" }"#)?;
//! std::fs::create_dir_all(folder.path().join("commands"))?;
//! std::fs::write(folder.path().join("commands/hello.md"), "Greet the user.")?;
//! let plugin = Plugin::read(folder.path())?;
//! assert_eq!((plugin.name.as_str(), plugin.commands[0].name.as_str()), ("greeter", "hello"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Neighbours: `git` clones; `config` says where the home is, stores the registry and gives the parts to the loaders; `commands`
//! asks the user before something is installed. It does NOT run, parse or judge hooks, servers, skills or prompts.

mod copying;
mod error;
mod fingerprint;
mod home;
mod inside;
mod manifest;
mod marketplace;
mod name;
mod origin;
mod part_files;
mod plugin;
mod prepared;
mod registry;
#[cfg(test)]
mod stage;

pub use error::PluginError;
pub use home::PluginHome;
pub use marketplace::{ListedPlugin, Marketplace, PluginSource};
pub use origin::MarketplaceOrigin;
pub use part_files::CommandFile;
pub use plugin::{Plugin, PluginText, ROOT_VARIABLE};
pub use prepared::{PreparedMarketplace, PreparedPlugin};
pub use registry::{MarketplaceRecord, PluginRecord, Registry};
