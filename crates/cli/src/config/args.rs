//! Arguments of `throughline config` and `throughline trust`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `throughline config`.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub(crate) what: ConfigWhat,
}

/// Actions on the settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigWhat {
    /// Show the effective settings, and the project settings that are ignored until you trust the project
    Show(ConfigShowArgs),
    /// Show one setting and where it comes from
    Get(ConfigGetArgs),
    /// Set a key in your settings file; comments and order stay
    Set(ConfigSetArgs),
    /// Remove a key from your settings file, with the comments right above it
    Unset(ConfigUnsetArgs),
    /// Encryption of stored contexts and results: make a key, or show which one is used
    #[command(subcommand)]
    Key(ConfigKey),
    /// List the files that settings are read from
    Path,
}

/// Actions on the encryption key.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigKey {
    /// Write a new random key into a new file that only you can read
    New {
        /// File; an existing one is never overwritten
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Show the key of the settings and that of the database, by their numbers
    Show,
}

/// Arguments of `throughline config show`.
#[derive(Debug, Args)]
pub(crate) struct ConfigShowArgs {
    /// Show where each setting comes from: file, line and column, variable, or the default
    #[arg(long)]
    pub(crate) origin: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Settings file, TOML or JSON, instead of the user's own
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Folder of the project [default: the current one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
}

/// Arguments of `throughline config get`.
#[derive(Debug, Args)]
pub(crate) struct ConfigGetArgs {
    /// Key with its section, for example agent.policy
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Folder of the project [default: the current one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
}

/// Arguments of `throughline config set`.
#[derive(Debug, Args)]
pub(crate) struct ConfigSetArgs {
    /// Key with its section, for example agent.policy
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    /// Value; of a list '["one", "two"]', or its only item
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) value: String,
    #[command(flatten)]
    pub(crate) file: ConfigFileArgs,
}

/// Arguments of `throughline config unset`.
#[derive(Debug, Args)]
pub(crate) struct ConfigUnsetArgs {
    /// Key with its section, for example agent.policy
    #[arg(value_name = "KEY")]
    pub(crate) key: String,
    #[command(flatten)]
    pub(crate) file: ConfigFileArgs,
}

/// Which file is changed.
#[derive(Debug, Args)]
pub(crate) struct ConfigFileArgs {
    /// Change .throughline/config.toml of the project instead
    #[arg(long)]
    pub(crate) project: bool,
    /// Folder of the project [default: the current one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
}

/// Arguments of `throughline trust`.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// Folder in the project [default: the current one]
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Revoke the trust
    #[arg(long)]
    pub(crate) remove: bool,
}
