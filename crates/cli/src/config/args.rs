//! Arguments of `throughline config` and `throughline trust`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Arguments of `throughline config`.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub(crate) what: ConfigWhat,
}

/// What to do with the settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigWhat {
    /// Show the settings that hold, and what of the project is held back
    Show(ConfigShowArgs),
    /// Show the files that settings are read from
    Path,
}

/// Arguments of `throughline config show`.
#[derive(Debug, Args)]
pub(crate) struct ConfigShowArgs {
    /// Say where each setting comes from: file, line and column, variable, or the usual value
    #[arg(long)]
    pub(crate) origin: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// File of settings, TOML or JSON, instead of the user's own
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Folder whose project is looked at [default: the current one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) workspace: Option<PathBuf>,
}

/// Arguments of `throughline trust`.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// Folder in the project [default: the current one]
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Trust it no more
    #[arg(long)]
    pub(crate) remove: bool,
}
