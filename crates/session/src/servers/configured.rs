//! The servers that the settings and a trusted project name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use throughline_config::{Config, Trust};
use throughline_mcp::{
    McpOptions, McpServers, OAuthOptions, ServerConfig, ServerEntry, Transport, parse_mcp_json,
};
use throughline_plugins::{Plugin, ROOT_VARIABLE};
use throughline_settings::{McpServer, McpTransport, Secrets};
use throughline_text::error_chain;

use super::logins::KeyFolder;
use crate::permissions::Attendance;

/// Which servers are restarted when the settings are read again. One whose configuration has changed always is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restart {
    /// No other one.
    Changed,
    /// The one of this name.
    One(String),
    /// All.
    All,
}

/// Where servers start, and who waits for them.
#[derive(Debug)]
pub(super) struct ServerPlace {
    pub(super) data: PathBuf,
    pub(super) workspace: PathBuf,
    pub(super) attendance: Attendance,
    /// The user can be asked what servers want to know.
    pub(super) asks: bool,
    /// Servers of the program that opens the session.
    pub(super) more: Vec<ServerConfig>,
}

impl ServerPlace {
    /// Where no person is.
    pub(super) fn new(data: &Path, workspace: &Path) -> Self {
        Self {
            data: data.to_owned(),
            workspace: workspace.to_owned(),
            attendance: Attendance::Unattended,
            asks: false,
            more: Vec::new(),
        }
    }
}

/// The servers, and what of the configuration cannot be used.
#[derive(Debug)]
pub(super) struct Configured {
    pub(super) servers: McpServers,
    pub(super) problems: Vec<String>,
}

impl Configured {
    /// The servers of the settings, and of the project if it is trusted. Starts none.
    pub(super) fn of(config: &Config, place: &ServerPlace) -> Self {
        let (configs, problems) = configs(config, place.more.clone());
        let options = options(config, place, &configs);
        Self { servers: McpServers::new(configs, options), problems }
    }

    /// The same in place of these servers, which are ended. One that is configured as before continues, unless it restarts.
    pub(super) async fn replace(&self, config: &Config, place: &ServerPlace, restart: &Restart) -> Self {
        let (configs, problems) = configs(config, place.more.clone());
        let options = options(config, place, &configs);
        let continues = |name: &str| match restart {
            Restart::Changed => true,
            Restart::One(one) => name != one,
            Restart::All => false,
        };
        Self { servers: self.servers.replace(configs, options, continues).await, problems }
    }
}

fn options(config: &Config, place: &ServerPlace, configs: &[ServerConfig]) -> McpOptions {
    let mut options = McpOptions {
        cache: Some(place.data.join("mcp")),
        logins: KeyFolder::of_user(),
        launcher: config.launcher.clone(),
        attended: place.asks,
        ..McpOptions::new(&place.workspace)
    };
    if place.attendance == Attendance::Unattended {
        // Without a person a turn is not started again: it waits as long as each server may take to start.
        options.wait = configs.iter().map(|config| config.start_timeout).max().unwrap_or_default();
    }
    options
}

/// These servers, those of the settings, those of the project if it is trusted, and those of plugins. Also what cannot be used.
pub(super) fn configs(config: &Config, mut configs: Vec<ServerConfig>) -> (Vec<ServerConfig>, Vec<String>) {
    let lookup = |name: &str| std::env::var(name).ok();
    let mut problems = Vec::new();
    for server in config.resolved.servers() {
        match entry(server).resolve(&server.name, &lookup) {
            Ok(found) => configs.extend(found.map(|found| limited(found, server))),
            Err(error) => problems.push(error_chain(&error)),
        }
    }
    if let (Some(text), Trust::Trusted) = (&config.project.mcp, config.trust) {
        match parse_mcp_json(text, &lookup) {
            Ok(read) => {
                configs.extend(read.servers);
                problems.extend(read.errors.iter().map(|error| error_chain(error)));
                problems.extend(read.warnings);
            }
            Err(error) => {
                problems.push(format!("{}: {}", config.project.mcp_name(), error_chain(&error)));
            }
        }
    }
    for plugin in config.plugins.used() {
        let (more, why) = of_plugin(plugin);
        configs.extend(more);
        problems.extend(why);
    }
    (configs, problems)
}

/// The servers of a plugin under their names in a session. Also what cannot be used.
fn of_plugin(plugin: &Plugin) -> (Vec<ServerConfig>, Vec<String>) {
    let root = plugin.root.display().to_string();
    let lookup = |name: &str| {
        if name == ROOT_VARIABLE { Some(root.clone()) } else { std::env::var(name).ok() }
    };
    let (mut servers, mut problems) = (Vec::new(), Vec::new());
    for file in &plugin.servers {
        match parse_mcp_json(&file.text, &lookup) {
            Ok(read) => {
                servers.extend(read.servers);
                let problem = |why: String| format!("{}: {why}", file.place);
                problems.extend(read.errors.iter().map(|error| problem(error_chain(error))));
                problems.extend(read.warnings.into_iter().map(problem));
            }
            Err(error) => problems.push(format!("{}: {}", file.place, error_chain(&error))),
        }
    }
    for server in &mut servers {
        server.name = plugin.server_name(&server.name);
        if let Transport::Stdio { env, .. } = &mut server.transport {
            env.insert(ROOT_VARIABLE.to_owned(), root.clone());
        }
    }
    (servers, problems)
}

/// A server of the settings in the form of `.mcp.json`.
fn entry(server: &McpServer) -> ServerEntry {
    let texts = |secrets: &Secrets| -> BTreeMap<String, String> {
        secrets.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let disabled_tools = server.disabled_tools.clone();
    match &server.transport {
        McpTransport::Stdio { command, args, env, cwd } => ServerEntry {
            command: Some(command.clone()),
            args: args.clone(),
            env: texts(env),
            cwd: cwd.as_ref().map(Into::into),
            disabled_tools,
            ..ServerEntry::default()
        },
        McpTransport::Http { url, headers, login } => ServerEntry {
            url: Some(url.clone()),
            headers: texts(headers),
            oauth: OAuthOptions {
                client_id: login.client_id.clone(),
                client_secret: login.client_secret.clone(),
                scopes: login.scopes.clone(),
                callback_port: login.callback_port,
            },
            disabled_tools,
            ..ServerEntry::default()
        },
    }
}

/// Applies the timeouts of the settings, which are in seconds.
fn limited(config: ServerConfig, server: &McpServer) -> ServerConfig {
    ServerConfig {
        timeout: server.timeout.map_or(config.timeout, Duration::from_secs),
        start_timeout: server.start_timeout.map_or(config.start_timeout, Duration::from_secs),
        ..config
    }
}
