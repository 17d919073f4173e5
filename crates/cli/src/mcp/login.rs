//! `throughline mcp login` and `throughline mcp logout`.

use std::io::BufRead as _;

use throughline_config::Config;
use throughline_session::{LoginState, ServerLogins};
use throughline_terminal::{line, note, open_in_browser};
use throughline_text::plain;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Logs in to a server: by the browser that comes back to this machine, or by what the user pastes.
pub(super) async fn log_in(name: &str, config: &Config) -> anyhow::Result<()> {
    let login = ServerLogins::of(config)?.begin(name).await?;
    line(&format!("To log in to {}, open this address in a browser:\n", plain(name)));
    line(&format!("{}\n", plain(login.url())));
    if open_in_browser(login.url()) {
        line("Your browser opens it now.");
    }
    line(
        "If the browser runs on another machine, its last page cannot be loaded: paste the address of that page here.",
    );
    let logged_in = login.finish(pasted(), note).await;
    logged_in.map_err(|why| anyhow::anyhow!("MCP server {name:?}: {why}"))?;
    line(&format!("Logged in to {}.", plain(name)));
    Ok(())
}

/// Deletes a login. Returns what to tell the user.
pub(super) fn log_out(name: &str, config: &Config) -> anyhow::Result<String> {
    if !ServerLogins::of(config)?.log_out(name)? {
        anyhow::bail!("there is no login to the MCP server {name:?}");
    }
    Ok(plain(&format!("Deleted the login to the MCP server {name}.")))
}

/// A word for the state of a login.
pub(super) fn shown(state: LoginState) -> &'static str {
    match state {
        LoginState::LoggedIn => "logged in",
        LoginState::Ended => "needs login",
        LoginState::None => "no",
        LoginState::Unused => "-",
    }
}

/// Lines of the input. The thread ends with the program: reading a terminal cannot be stopped.
fn pasted() -> UnboundedReceiver<String> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for text in std::io::stdin().lock().lines() {
            let Ok(text) = text else { return };
            if !text.trim().is_empty() && sender.send(text).is_err() {
                return;
            }
        }
    });
    receiver
}
