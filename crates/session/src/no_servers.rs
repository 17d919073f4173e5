//! A program without MCP: no server is started, and a session that has some in its settings says so.

use std::path::Path;
use std::sync::Arc;

use throughline_config::{Config, Trust};
use throughline_instructions::PluginParts;
use throughline_permission::Permissions;
use throughline_tools::ToolRegistry;

use crate::permissions::Attendance;

/// Holds no server.
#[derive(Debug, Clone)]
pub enum ServerConfig {}

/// No servers.
#[derive(Debug)]
pub struct Servers {
    /// The settings, or a project that is trusted, have some.
    are_set: bool,
}

impl Servers {
    /// Starts none.
    #[must_use]
    pub fn of(config: &Config, _data: &Path, _workspace: &Path, _attendance: Attendance) -> Self {
        let in_project = config.project.mcp.is_some() && config.trust == Trust::Trusted;
        let in_plugin = config.plugins.used().any(|plugin| !plugin.servers.is_empty());
        Self { are_set: in_project || in_plugin || config.resolved.servers().next().is_some() }
    }

    /// Starts none.
    pub(crate) fn waited_for(
        config: &Config,
        data: &Path,
        workspace: &Path,
        _: Vec<ServerConfig>,
        _: bool,
    ) -> Self {
        Self::of(config, data, workspace, Attendance::Unattended)
    }

    /// Says that the servers of the settings are not started.
    pub async fn start(&self) -> Vec<String> {
        self.notices()
    }

    /// Returns true: there is nothing to start.
    #[must_use]
    pub fn have_started(&self) -> bool {
        true
    }

    /// Has nothing to compare.
    pub(crate) async fn review(&self, _: &Permissions) -> Vec<String> {
        Vec::new()
    }

    /// Adds no tool.
    pub(crate) fn add(&self, _: &mut ToolRegistry) -> Vec<String> {
        Vec::new()
    }

    /// No skill.
    pub(crate) fn skills(&self) -> Vec<PluginParts> {
        Vec::new()
    }

    /// Has nothing to refresh.
    pub fn refresh(self: &Arc<Self>) {}

    /// Has nothing to list.
    pub(crate) async fn relist(&self) {}

    /// Returns false: there are no tools.
    pub(crate) fn take_change(&self) -> bool {
        false
    }

    /// No name.
    #[must_use]
    pub fn tool_names(&self) -> Vec<String> {
        Vec::new()
    }

    /// That the servers of the settings are not started, if there are any.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let why = "the MCP servers of the settings are not started: this program was built without the feature `mcp`";
        if self.are_set { vec![why.to_owned()] } else { Vec::new() }
    }

    /// Has nothing to end.
    pub async fn close(&self) {}
}
