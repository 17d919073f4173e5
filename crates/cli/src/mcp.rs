//! `throughline mcp`: sessions, memos and stored results for another agent, and the servers that the model may use.

mod login;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use throughline_commands::mcp::{McpChange, McpLoginArgs, list};
use throughline_config::{AccessToken, Config, ConfigSources, TokenUse, workspace};
use throughline_mcpserver::{HttpServer, MemoryServer, Visible, serve};
use throughline_session::ServerLogins;
use throughline_stored::Storage;
use throughline_terminal::line;

use self::login::{log_in, log_out, shown};
use crate::data_args::DataArgs;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_help_heading = "Servers that the model may use")]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    what: Option<McpWhat>,
    /// The folder whose sessions are shown [default: the current one, and the roots that the client names]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Serve over HTTP on this port of the loopback interface, for clients that know the token; 0 is any free port
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8377")]
    http: Option<u16>,
}

/// What is done with the servers that the model may use.
#[derive(Debug, Subcommand)]
enum McpWhat {
    #[command(flatten)]
    Change(McpChange),
    /// List the servers of the settings
    List,
    /// Log in to a server with an address, in your browser
    Login(McpLoginArgs),
    /// Delete the login to a server
    Logout(McpLoginArgs),
}

/// Changes or lists the servers that the model may use.
async fn servers(what: &McpWhat, data: &DataArgs) -> anyhow::Result<()> {
    let config =
        || Config::load(ConfigSources { data_dir: data.data_dir.clone(), ..ConfigSources::default() });
    line(&match what {
        McpWhat::Change(change) => {
            let removed = change.removed();
            let logins = removed.and_then(|name| Some((name, ServerLogins::of(&config().ok()?).ok()?)));
            let said = change.apply(None)?;
            // Settings that cannot be read do not stop the removal, and a server that is a program has no login.
            if let Some((name, logins)) = logins {
                let _ = logins.log_out(name);
            }
            said
        }
        McpWhat::List => {
            let config = config()?;
            let logins = ServerLogins::of(&config).ok();
            list(&config, |name| logins.as_ref().map_or("-", |logins| shown(logins.state(name))))
        }
        McpWhat::Login(args) => return log_in(&args.name, &config()?).await,
        McpWhat::Logout(args) => log_out(&args.name, &config()?)?,
    });
    Ok(())
}

/// Serves one client over stdin and stdout until it closes stdin, or clients over HTTP until the program ends.
pub(crate) async fn run(args: &McpArgs, data: &DataArgs) -> anyhow::Result<()> {
    if let Some(what) = &args.what {
        return servers(what, data).await;
    }
    let visible = Visible {
        folder: workspace(args.folder.as_deref())?,
        any_folder: data.any_folder,
        // A folder that the user names is the only one, and a client over HTTP was not started by its user here.
        roots: args.folder.is_none() && args.http.is_none(),
    };
    let storage = Storage::open_to_read(data.data_dir.clone()).await?;
    let root = storage.folder.root().to_owned();
    let server = MemoryServer::new(storage, visible);
    let Some(port) = args.http else {
        serve(server, tokio::io::stdin(), tokio::io::stdout()).await?;
        return Ok(());
    };
    let (token, file) = AccessToken::of_folder(&root, TokenUse::Memory)?;
    let http = HttpServer::listen(port, token).await?;
    line(&format!("Listening on {}; the token is in {}", http.url(), file.display()));
    match http.run(server).await {}
}
