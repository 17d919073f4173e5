//! What the user should know of the programs that are started by themselves.

use throughline_config::Config;
use throughline_settings::McpTransport;

/// Programs that are started without being named.
const OWN: [&str; 2] = ["git", "sh"];

/// A notice if `PATH` has such programs in folders that a model can write: they come from elsewhere, or not at all.
pub(crate) fn program_note(config: &Config) -> Option<String> {
    let servers = config.resolved.servers().filter_map(|server| match &server.transport {
        McpTransport::Stdio { command, .. } => Some(command.as_str()),
        McpTransport::Http { .. } => None,
    });
    let names: Vec<&str> = OWN.into_iter().chain(servers).collect();
    let folders = throughline_programs::left_out(names);
    let shown: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    (!shown.is_empty()).then(|| {
        format!(
            "git, editors, pagers and MCP servers are not taken from {}: the model's commands can write there; a setting \
             with the whole path of a program names it all the same",
            shown.join(", ")
        )
    })
}
