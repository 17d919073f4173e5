//! `throughline serve token`: the tokens of users.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Subcommand;
use serde_json::json;
use throughline_commands::UsageError;
use throughline_server::TokenObject;
use throughline_stored::{Storage, UserRights, UserToken, now, scope_folder};
use throughline_terminal::{json as print_json, line, note, table};
use throughline_text::{counted, read_span};

use crate::usage::as_usage;

/// Actions on tokens.
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Make a token of a user, and print its secret this once
    New {
        /// Name of the user; several tokens may have the same
        #[arg(value_name = "NAME")]
        user: String,
        /// What it may do: read sessions, run turns in them and change them, or everything
        #[arg(long, value_name = "RIGHTS", value_parser = ["read", "run", "admin"])]
        rights: String,
        /// Folder whose sessions it opens, with those below it; repeatable [default: all folders]
        #[arg(long, value_name = "PATH")]
        folder: Vec<PathBuf>,
        /// Refuse it after this time, such as 90d [default: never]
        #[arg(long, value_name = "SPAN", value_parser = read_span)]
        expires: Option<Duration>,
    },
    /// List the tokens, without their secrets
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Revoke a token, or all tokens of a user: the next request is refused, and streams of events end
    Revoke {
        /// Name of the user, or the id of a token
        #[arg(value_name = "NAME|ID")]
        name: String,
    },
}

/// Runs it.
pub(super) async fn run(command: &TokenCommand, storage: &Storage) -> anyhow::Result<()> {
    match command {
        TokenCommand::New { user, rights, folder, expires } => {
            make(storage, user, rights, folder, *expires).await
        }
        TokenCommand::List { json } => list(storage, *json).await,
        TokenCommand::Revoke { name } => {
            let revoked = storage.store.user_tokens().revoke(name, now()).await?;
            if revoked == 0 {
                bail!(
                    "no valid token has the name or id {name:?}; `throughline serve token list` lists them"
                );
            }
            line(&format!("Revoked {}.", counted(revoked, "token")));
            Ok(())
        }
    }
}

async fn make(
    storage: &Storage,
    user: &str,
    rights: &str,
    folders: &[PathBuf],
    expires: Option<Duration>,
) -> anyhow::Result<()> {
    let rights = UserRights::named(rights).context("there are no such rights")?;
    let mut scope = Vec::new();
    for folder in folders {
        scope.push(scope_folder(folder).map_err(as_usage)?);
    }
    let issued = UserToken::issue(user, rights, scope, now(), expires);
    let (token, secret) = issued.map_err(|error| UsageError(error.to_string()))?;
    storage.store.user_tokens().add(&token).await?;
    note(&format!("token {} of {user}: {}", token.id, described(&token)));
    note("the secret is printed this once, and stored nowhere:");
    line(&secret);
    Ok(())
}

/// What a token opens, and until when.
fn described(token: &UserToken) -> String {
    let folders = folders(token);
    let until = token.expires.map(|at| format!(", until {}", at.rfc3339())).unwrap_or_default();
    format!("rights {}, {folders}{until}", token.rights.name())
}

fn folders(token: &UserToken) -> String {
    match token.folders.as_slice() {
        [] => "all folders".to_owned(),
        some => some.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", "),
    }
}

async fn list(storage: &Storage, as_json: bool) -> anyhow::Result<()> {
    let all = storage.store.user_tokens().list().await?;
    if as_json {
        return Ok(print_json(&json!(all.iter().map(TokenObject::from).collect::<Vec<_>>()))?);
    }
    if all.is_empty() {
        line("No tokens yet. `throughline serve token new NAME --rights run` makes one.");
        return Ok(());
    }
    let mut rows = vec![["ID", "USER", "RIGHTS", "STATE", "FOLDERS"].map(str::to_owned).to_vec()];
    let at = now();
    for token in &all {
        let state = match (token.revoked, token.expires) {
            (Some(at), _) => format!("revoked {}", at.rfc3339()),
            (None, Some(until)) if until <= at => format!("expired {}", until.rfc3339()),
            (None, Some(until)) => format!("until {}", until.rfc3339()),
            (None, None) => "valid".to_owned(),
        };
        let rights = token.rights.name().to_owned();
        rows.push(vec![token.id.clone(), token.user.clone(), rights, state, folders(token)]);
    }
    table(&rows).iter().for_each(|row| line(row));
    Ok(())
}
