//! `/plugin enable` and `/plugin disable`, and the list of commands, which plugins change.

use std::sync::Arc;

use throughline_commands::plugins::{PluginSwitch, switch};
use throughline_commands::{PromptCommands, slash};
use throughline_config::{Config, InstalledPlugins, PluginFile};
use throughline_tui::{CommandInfo, Show};

use super::driver::Driver;

impl Driver {
    /// Enables or disables a plugin. Its commands can be used or are gone at once; the open session stays unchanged, because its prompt
    /// and its tools have been sent.
    pub(super) fn switch_plugin(&mut self, what: &PluginSwitch) -> anyhow::Result<()> {
        let said = switch(&PluginFile::of_user()?, what)?;
        let servers = |config: &Config| config.plugins.used().any(|plugin| !plugin.servers.is_empty());
        let had_servers = servers(&self.setup.config);
        let config = Config { plugins: InstalledPlugins::of_user(), ..Config::clone(&self.setup.config) };
        let reload = if had_servers || servers(&config) {
            " MCP servers of plugins are restarted by /mcp reload."
        } else {
            ""
        };
        self.setup.custom = PromptCommands::of(&config);
        self.setup.config = Arc::new(config);
        self.show_commands();
        self.setup.screen.notice(format!("{said} /clear begins one; slash commands change now.{reload}"));
        Ok(())
    }

    /// Gives the screen all commands, for completion.
    pub(super) fn show_commands(&self) {
        let commands = slash::rows().into_iter().map(|row| CommandInfo {
            name: row.name,
            arguments: row.arguments,
            about: row.about,
            group: row.group.to_owned(),
            anytime: row.anytime,
        });
        let prompts = self.setup.custom.rows().into_iter().map(|row| CommandInfo {
            name: format!("/{}", row.name),
            arguments: row.arguments.clone(),
            about: row.about.clone(),
            group: row.group.clone(),
            anytime: false,
        });
        self.setup.screen.show(Show::Commands(commands.chain(prompts).collect()));
    }
}
