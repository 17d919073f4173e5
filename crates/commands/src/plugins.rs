//! `plugin` and `/plugin`: marketplaces, and what is installed from them.

mod args;
mod change;
mod install;
mod list;
mod market;

use throughline_config::PluginFile;

use crate::answer::Answer;

pub use args::{InstallArgs, MarketplaceCommand, PluginCommand, PluginSwitch, UpdateArgs};
pub use change::switch;
pub use list::plugins_page;

/// Runs a command on the user's plugins.
///
/// # Errors
/// A name or a place that is not known, a plugin that cannot be used, or an answer of no. Nothing has changed then.
pub async fn run(command: &PluginCommand) -> anyhow::Result<Answer> {
    let file = PluginFile::of_user()?;
    match command {
        PluginCommand::Marketplace { what } => market::run(&file, what).await,
        PluginCommand::Install(args) => install::install(&file, args).await,
        PluginCommand::Update(args) => install::update(&file, args).await,
        PluginCommand::List { .. } => Ok(list::list()),
        PluginCommand::Switch(what) => Ok(Answer::lines(&[switch(&file, what)?])),
        PluginCommand::Remove { name } => Ok(Answer::lines(&[change::remove(&file, name)?])),
    }
}
