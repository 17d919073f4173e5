//! `/mcp add`, `/mcp remove` and `/mcp reload`.

use throughline_commands::slash::McpCommand;

use super::driver::Driver;
use crate::pages::servers_page;

impl Driver {
    /// Changes the MCP servers of the settings, if that is wanted, and starts those that are named now. The model has their tools
    /// with the next message.
    pub(super) async fn change_servers(&self, what: &McpCommand) -> anyhow::Result<()> {
        let setup = &self.setup;
        if let McpCommand::Change(change) = what {
            setup.screen.notice(change.apply(Some(&setup.workspace))?);
        }
        let config = setup.options.sources.load(setup.options.workspace.as_deref())?;
        for text in setup.servers.reload(&config).await {
            setup.screen.notice(text);
        }
        setup.screen.page("", &servers_page(&setup.servers));
        Ok(())
    }
}
