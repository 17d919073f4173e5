//! The tools of MCP servers in an open session.

use throughline_agent::{Event, EventSink};
use throughline_text::error_chain;
use throughline_tools::{CancelFlag, RegistryError, ToolRegistry};

use crate::session::Session;

impl Session {
    /// Its tools without those of MCP servers, not wrapped; `None`: it takes no tools of servers.
    #[must_use]
    pub fn base_tools(&self) -> Option<&ToolRegistry> {
        self.base_tools.as_ref()
    }

    /// Gives the model the tools that its MCP servers have now, if they have changed since it was given them. The rules of tools that
    /// are another now end. Returns notices for the user; `None`: the tools are the same. Only between turns: a change makes the
    /// prompt cache cold.
    ///
    /// # Errors
    /// A tool cannot be registered; then its tools are the same as before.
    pub async fn update_server_tools(&mut self) -> Result<Option<Vec<String>>, RegistryError> {
        let Some(mut tools) = self.base_tools.clone() else { return Ok(None) };
        if !self.servers.take_change() {
            return Ok(None);
        }
        let mut notices = self.servers.review(&self.permissions).await;
        notices.extend(self.servers.add(&mut tools));
        self.agent.set_tools(self.around.wrap(&tools)?);
        Ok(Some(notices))
    }

    /// Begins a turn with the tools that its servers have now: lists that they have changed are read. Servers that sessions share
    /// are left to the program that has started them. Raising the flag ends the wait.
    pub(crate) async fn begin_turn(&mut self, sink: &dyn EventSink, cancel: &CancelFlag) {
        if !self.owns_servers || self.base_tools.is_none() {
            return;
        }
        tokio::select! {
            () = self.servers.relist() => {}
            () = cancel.cancelled() => return,
        }
        let notice = |text: String| sink.emit(Event::Notice(text));
        match self.update_server_tools().await {
            Ok(None) => {}
            Ok(Some(notices)) => {
                notices.into_iter().for_each(notice);
                notice("the tools of MCP servers changed".to_owned());
            }
            Err(error) => notice(error_chain(&error)),
        }
    }
}
