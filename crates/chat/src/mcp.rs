//! `/mcp add`, `/mcp remove`, `/mcp login`, `/mcp logout` and `/mcp reload`.

use throughline_commands::slash::McpCommand;
use throughline_config::Config;
use throughline_session::{Restart, ServerLogins};
use throughline_terminal::open_in_browser;
use throughline_text::error_chain;
use throughline_tui::Show;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::driver::Driver;
use super::setup::Setup;
use crate::pages::servers_page;

impl Driver {
    /// Changes the MCP servers of the settings, or a login to one, if that is wanted, and starts those that are named now. Those
    /// that run continue, unless they are to be restarted. The model has the tools with the next message.
    pub(super) async fn change_servers(&self, what: &McpCommand) -> anyhow::Result<()> {
        let setup = &self.setup;
        let restart = match what {
            McpCommand::Login { name, pasted: None } => return setup.log_in(name.clone()),
            McpCommand::Login { name, pasted: Some(text) } => {
                setup.paste(name, text);
                return Ok(());
            }
            McpCommand::Logout(args) => {
                let deleted = ServerLogins::of(&setup.load_config()?)?.log_out(&args.name)?;
                let said = if deleted { "Deleted the login to" } else { "There is no login to" };
                setup.screen.notice(format!("{said} the MCP server {}.", args.name));
                return Ok(());
            }
            McpCommand::Change(change) => {
                let removed = change.removed();
                let logins =
                    removed.and_then(|name| Some((name, ServerLogins::of(&setup.load_config().ok()?).ok()?)));
                setup.screen.notice(change.apply(Some(&setup.workspace))?);
                if let Some((name, logins)) = logins {
                    // A server that is a program has no login.
                    let _ = logins.log_out(name);
                }
                Restart::Changed
            }
            McpCommand::Reload { name: None } => Restart::All,
            McpCommand::Reload { name: Some(name) } => {
                ServerLogins::of(&setup.load_config()?)?.check_name(name)?;
                Restart::One(name.clone())
            }
        };
        // The page has the notices.
        setup.servers.reload(&setup.load_config()?, &restart).await;
        setup.screen.page("", &servers_page(&setup.servers));
        Ok(())
    }
}

impl Setup {
    pub(super) fn load_config(&self) -> anyhow::Result<Config> {
        Ok(self.options.sources.load(self.options.workspace.as_deref())?)
    }

    /// Begins a login, which continues in the background.
    fn log_in(&self, server: String) -> anyhow::Result<()> {
        let logins = ServerLogins::of(&self.load_config()?)?;
        let (pasted, input) = unbounded_channel();
        let (setup, name) = (self.clone(), server.clone());
        let task = tokio::spawn(async move {
            if let Err(why) = setup.wait_for_login(&logins, &name, input).await {
                setup.screen.problem(why);
            }
        });
        self.login.replace(server, pasted, task.abort_handle());
        Ok(())
    }

    async fn wait_for_login(
        &self,
        logins: &ServerLogins,
        name: &str,
        input: UnboundedReceiver<String>,
    ) -> Result<(), String> {
        let screen = &self.screen;
        let login = logins.begin(name).await.map_err(|error| error_chain(&error))?;
        // The screen breaks a long address into lines, which is no address when it is copied by hand.
        screen.show(Show::Copy(login.url().to_owned()));
        let opened = if open_in_browser(login.url()) {
            "Your browser opens it now."
        } else {
            "It is copied, if the terminal allows it."
        };
        screen.notice(format!(
            "To log in to {name}, open this address in a browser:\n{}\n{opened}\nIs the browser on another machine? Its last page \
             cannot be loaded: type /mcp login {name} and the address of that page.",
            login.url()
        ));
        let finished = login.finish(input, |why| screen.notice(why.to_owned())).await;
        finished.map_err(|why| format!("MCP server {name:?}: {why}"))?;
        screen.notice(format!("Logged in to {name}."));
        self.servers.start_missing().await;
        for text in self.servers.notices() {
            screen.notice(text);
        }
        Ok(())
    }

    /// Gives the login that waits what the user has pasted.
    fn paste(&self, server: &str, text: &str) {
        if !self.login.paste(server, text) {
            self.screen.problem(format!(
                "No login to {server} waits for an address: /mcp login {server} begins one."
            ));
        }
    }
}
