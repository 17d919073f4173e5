//! The words of `plugin`.

use clap::{Args, Subcommand};

/// What is done with plugins.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum PluginCommand {
    /// Add, list, update or remove marketplaces: lists of plugins
    Marketplace {
        /// The change
        #[command(subcommand)]
        what: MarketplaceCommand,
    },
    /// Install a plugin of a marketplace
    Install(InstallArgs),
    /// List the installed plugins with what each brings
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Enable or disable one.
    #[command(flatten)]
    Switch(PluginSwitch),
    /// Update a plugin, or all of them
    Update(UpdateArgs),
    /// Remove a plugin
    Remove {
        /// Name of the plugin
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// Whether sessions use a plugin.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum PluginSwitch {
    /// Use a plugin in sessions
    Enable {
        /// Name of the plugin
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Leave a plugin installed, and use nothing of it
    Disable {
        /// Name of the plugin
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// What is done with marketplaces.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum MarketplaceCommand {
    /// Add a marketplace: a folder, or a Git repository
    Add {
        /// Folder, address of a repository (`#REF` names a branch, a tag or a commit), or OWNER/REPO on GitHub
        #[arg(value_name = "PLACE")]
        place: String,
    },
    /// List the marketplaces with their plugins
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Get the newest lists of a marketplace, or of all
    Update {
        /// Name of the marketplace
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Remove a marketplace; plugins of it stay installed
    Remove {
        /// Name of the marketplace
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// Arguments of `plugin install`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct InstallArgs {
    /// Name of the plugin, with @MARKETPLACE where several have it
    #[arg(value_name = "NAME")]
    pub(super) name: String,
    /// Do not ask for confirmation
    #[arg(long, short)]
    pub(super) yes: bool,
}

/// Arguments of `plugin update`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct UpdateArgs {
    /// Name of the plugin [default: all of them]
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Do not ask for confirmation where hooks or servers changed
    #[arg(long, short)]
    pub(super) yes: bool,
}

impl PluginCommand {
    /// Returns true if the answer is wanted as JSON.
    #[must_use]
    pub fn wants_json(&self) -> bool {
        match self {
            Self::List { json } | Self::Marketplace { what: MarketplaceCommand::List { json } } => *json,
            _ => false,
        }
    }
}
