//! `mcp add`, `mcp remove` and `mcp list`: the MCP servers of the settings.

use std::path::Path;

use clap::{Arg, Args, Command, Subcommand};
use throughline_config::{Config, SettingsFile, Trust};
use throughline_settings::{McpLogin, McpTransport, Secrets};
use throughline_terminal::table;
use throughline_text::plain;
use throughline_tools::is_secret_name;

use crate::usage::UsageError;

/// A change of the MCP servers.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum McpChange {
    /// Add a server: a program with its arguments, or an address
    Add(McpAddArgs),
    /// Remove a server
    Remove(McpRemoveArgs),
}

/// Arguments of `mcp add`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct McpAddArgs {
    /// Variable of the program: NAME takes that of your shell at each start, NAME=VALUE sets it
    #[arg(long, value_name = "NAME[=VALUE]")]
    env: Vec<String>,
    /// Header of each request to an address, as "name: value"; ${NAME} in it is a variable of your shell
    #[arg(long = "header", value_name = "HEADER")]
    headers: Vec<String>,
    /// Id of a client that you registered with the authorization server of an address; most need none
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,
    /// Port of this machine that the client was registered with
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    callback_port: Option<u16>,
    /// Scope that a login to an address asks for [default: those that it names]
    #[arg(long = "scope", value_name = "SCOPE")]
    scopes: Vec<String>,
    /// For everyone who works on this project, in its settings
    #[arg(long)]
    project: bool,
    /// Name of the server
    #[arg(value_name = "NAME")]
    name: String,
    /// Program with its arguments, or an address. Options stand before NAME; with `--` in front of COMMAND each word of it is passed on
    #[arg(value_name = "COMMAND", num_args = 1.., required_unless_present = "passed", allow_hyphen_values = true)]
    what: Vec<String>,
    /// The same behind `--`
    #[arg(value_name = "COMMAND", last = true, hide = true)]
    passed: Vec<String>,
}

/// Arguments of `mcp remove`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct McpRemoveArgs {
    /// From the settings of this project
    #[arg(long)]
    project: bool,
    /// Name of the server
    #[arg(value_name = "NAME")]
    name: String,
}

/// Arguments of `mcp login` and `mcp logout`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct McpLoginArgs {
    /// Name of the server
    #[arg(value_name = "NAME")]
    pub name: String,
}

impl McpChange {
    /// The server that it removes, whose login has no use any more.
    #[must_use]
    pub fn removed(&self) -> Option<&str> {
        match self {
            Self::Remove(args) => Some(&args.name),
            Self::Add(_) => None,
        }
    }

    /// Makes the change. Returns what to tell the user.
    ///
    /// # Errors
    /// The server cannot be used, its name is taken or unknown, or the file cannot be written, which is unchanged then.
    pub fn apply(&self, folder: Option<&Path>) -> anyhow::Result<String> {
        let (is_project, text) = match self {
            Self::Add(args) => {
                let file = SettingsFile::chosen(args.project, folder)?;
                file.add_server(&args.name, &args.transport()?)?;
                (args.project, format!("Added the MCP server {} to {}.", args.name, file.path().display()))
            }
            Self::Remove(McpRemoveArgs { project, name }) => {
                let file = SettingsFile::chosen(*project, folder)?;
                let place = file.path().display().to_string();
                if !file.remove_server(name)? {
                    let other = if *project { "without" } else { "with" };
                    return Err(UsageError(format!(
                        "there is no MCP server {name:?} in {place}; `throughline mcp list` shows where each is, and it may be \
                         removed {other} --project"
                    ))
                    .into());
                }
                (*project, format!("Removed the MCP server {name} from {place}."))
            }
        };
        let untrusted = " Settings of a project are used in a trusted one: throughline trust";
        Ok(plain(&if is_project { text + untrusted } else { text }))
    }
}

impl McpAddArgs {
    fn transport(&self) -> Result<McpTransport, UsageError> {
        self.check_place_of_options()?;
        let what = if self.what.is_empty() { &self.passed } else { &self.what };
        let (first, args) = what.split_first().ok_or_else(|| usage("name a program or an address"))?;
        if !first.starts_with("http://") && !first.starts_with("https://") {
            if !self.headers.is_empty() {
                return Err(usage("--header is for an address; a program takes --env"));
            }
            if self.login() != McpLogin::default() {
                return Err(usage("--client-id, --callback-port and --scope are for an address"));
            }
            let env = self.env.iter().map(|text| variable(text)).collect::<Result<_, _>>()?;
            return Ok(McpTransport::Stdio { command: first.clone(), args: args.to_vec(), env, cwd: None });
        }
        if !self.env.is_empty() {
            return Err(usage("--env is for a program; an address takes --header"));
        }
        if let Some(more) = args.first() {
            return Err(UsageError(format!("an address takes no arguments, and {more:?} is one")));
        }
        let headers = self.headers.iter().map(|text| header(text)).collect::<Result<Secrets, _>>()?;
        Ok(McpTransport::Http { url: first.clone(), headers, login: self.login() })
    }

    /// An own option behind the command is refused: it would be an argument of the program, and a secret in it would be stored.
    fn check_place_of_options(&self) -> Result<(), UsageError> {
        if let Some(option) = self.what.first().filter(|first| first.starts_with('-')) {
            let option = option.split('=').next().unwrap_or_default();
            return Err(UsageError(format!(
                "{option:?} is no option of mcp add, and no program: write mcp add [OPTIONS] NAME COMMAND"
            )));
        }
        let options = Self::augment_args(Command::new("add"));
        let is_own = |word: &&str| options.get_arguments().filter_map(Arg::get_long).any(|own| own == *word);
        let words = self.what.iter().take_while(|word| *word != "--");
        let mut named = words.filter_map(|word| word.strip_prefix("--")?.split('=').next());
        let Some(option) = named.find(is_own) else { return Ok(()) };
        let name = &self.name;
        Err(UsageError(format!(
            "--{option} stands behind the command, whose argument it would be; write mcp add --{option} … {name} COMMAND, or to pass \
             it to the program: mcp add {name} -- COMMAND --{option} …"
        )))
    }

    fn login(&self) -> McpLogin {
        McpLogin {
            client_id: self.client_id.clone(),
            client_secret: None,
            scopes: self.scopes.clone(),
            callback_port: self.callback_port,
        }
    }
}

fn usage(text: &str) -> UsageError {
    UsageError(text.to_owned())
}

/// A variable. A secret is not written into the settings, which people copy, nor onto a command line, which is recorded.
fn variable(text: &str) -> Result<(String, String), UsageError> {
    let Some((name, value)) = text.split_once('=') else {
        return Ok((text.to_owned(), format!("${{{text}}}")));
    };
    if is_secret_name(name) && !value.contains("${") {
        return Err(UsageError(format!(
            "{name} may be a secret; write --env {name}, which takes the variable of your shell at each start"
        )));
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// A header; see [`variable`].
fn header(text: &str) -> Result<(String, String), UsageError> {
    let (name, value) = text.split_once(':').ok_or_else(|| usage("write a header as \"name: value\""))?;
    let (name, value) = (name.trim(), value.trim());
    let lower = name.to_ascii_lowercase();
    let secret = ["authorization", "cookie", "proxy-authorization"].contains(&lower.as_str())
        || is_secret_name(&name.replace('-', "_"));
    if secret && !value.contains("${") {
        return Err(UsageError(format!(
            "{name} may be a secret; name a variable of your shell instead, for example --header '{name}: Bearer ${{TOKEN}}'"
        )));
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// The table of the servers of the settings, and those of plugins and of the project's `.mcp.json`. `login` says whether a server is logged in to.
#[must_use]
pub fn list(config: &Config, login: impl Fn(&str) -> &'static str) -> String {
    let mut rows = vec![["SERVER", "WHAT", "LOGIN", "FROM"].map(str::to_owned).to_vec()];
    rows.extend(config.resolved.servers().map(|server| {
        let (name, what, from) = (&server.name, server.transport.shown(), server.origin.to_string());
        vec![name.clone(), plain(&what), login(name).to_owned(), plain(&from)]
    }));
    let mut lines = if rows.len() == 1 {
        vec!["No MCP servers in the settings. To add one: throughline mcp add NAME COMMAND".to_owned()]
    } else {
        table(&rows)
    };
    for plugin in config.plugins.used().filter(|plugin| !plugin.servers.is_empty()) {
        let names: Vec<String> = plugin.server_names().iter().map(|name| plugin.server_name(name)).collect();
        lines.push(plain(&format!(
            "Those of the plugin {} are used, too: {}.",
            plugin.name,
            names.join(", ")
        )));
    }
    if config.project.mcp.is_some() {
        let used =
            if config.trust == Trust::Trusted { "are used, too" } else { "are ignored: throughline trust" };
        lines.push(plain(&format!("Those of {} {used}.", config.project.mcp_name())));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
