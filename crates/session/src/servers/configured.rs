//! The servers that the settings and a trusted project name.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use throughline_config::{Config, Trust};
use throughline_mcp::{McpOptions, McpServers, ServerConfig, ServerEntry, parse_mcp_json};
use throughline_settings::{McpServer, McpTransport, Secrets};
use throughline_text::error_chain;

use crate::permissions::Attendance;

/// Where servers start, and who waits for them.
#[derive(Debug)]
pub(super) struct ServerPlace {
    pub(super) data: PathBuf,
    pub(super) workspace: PathBuf,
    pub(super) attendance: Attendance,
    /// Servers of the program that opens the session.
    pub(super) more: Vec<ServerConfig>,
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
        let lookup = |name: &str| std::env::var(name).ok();
        let (mut configs, mut problems) = (place.more.clone(), Vec::new());
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
        let cache = Some(place.data.join("mcp"));
        let mut options =
            McpOptions { cache, launcher: config.launcher.clone(), ..McpOptions::new(&place.workspace) };
        if place.attendance == Attendance::Unattended {
            // Without a person a turn is not started again: it waits as long as each server may take to start.
            options.wait = configs.iter().map(|config| config.start_timeout).max().unwrap_or_default();
        }
        Self { servers: McpServers::new(configs, options), problems }
    }
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
        McpTransport::Http { url, headers } => ServerEntry {
            url: Some(url.clone()),
            headers: texts(headers),
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
