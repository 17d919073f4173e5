//! `throughline login` and `throughline logout`: keys of providers, stored for the user alone.

mod question;

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use throughline_config::{Config, ConfigSources, StoredKeys};
use throughline_connect::{KeyCheck, KeyOwner, ModelChoice, Provider, discover};
use throughline_terminal::{ask_secret, line};
use throughline_text::{counted, plain};

pub(crate) use question::choose;

/// Arguments of `throughline login`.
#[derive(Debug, Args)]
pub(crate) struct LoginArgs {
    /// anthropic, openai, gemini, or the address of a server that speaks like OpenAI [default: asks]
    #[arg(value_name = "PROVIDER")]
    provider: Option<String>,
    /// Store the key without a request that shows whether it is right
    #[arg(long, requires = "provider")]
    no_check: bool,
}

/// Arguments of `throughline logout`.
#[derive(Debug, Args)]
pub(crate) struct LogoutArgs {
    /// anthropic, openai, gemini, or the address of a server
    #[arg(value_name = "PROVIDER")]
    provider: String,
}

/// Asks for a key and stores it.
pub(crate) async fn run(args: &LoginArgs) -> anyhow::Result<ExitCode> {
    let Some(provider) = &args.provider else {
        return Ok(if choose().await? { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    };
    let owner = KeyOwner::read(provider)?;
    let key = ask_secret(&question(&owner)).context("the key could not be read")?;
    let check = if args.no_check { None } else { Some(owner.check(Some(&key)).await?) };
    store(&owner, &key, check.as_ref())?;
    say_default(&owner).await?;
    Ok(ExitCode::SUCCESS)
}

/// Deletes a stored key.
pub(crate) fn log_out(args: &LogoutArgs) -> anyhow::Result<()> {
    let owner = KeyOwner::read(&args.provider)?;
    if !keys()?.remove(owner.name())? {
        bail!("no key of {owner} is stored");
    }
    line(&plain(&format!("Deleted the stored key of {owner}.")));
    if let Some(name) = owner.provider().key_variable().filter(|name| std::env::var_os(name).is_some()) {
        line(&format!("{name} is still set, and used."));
    }
    Ok(())
}

fn question(owner: &KeyOwner) -> String {
    format!("Key of {owner} (it is not shown):")
}

fn keys() -> anyhow::Result<StoredKeys> {
    StoredKeys::of_user().context("there is no folder for keys; set HOME or XDG_CONFIG_HOME")
}

/// Stores a key that its owner does not refuse.
fn store(owner: &KeyOwner, key: &str, check: Option<&KeyCheck>) -> anyhow::Result<()> {
    let said = match check {
        Some(KeyCheck::Refused(why)) => {
            bail!("{owner} refuses this key, so it is not stored: {}", plain(why))
        }
        Some(KeyCheck::Lists(models)) if owner.provider() == Provider::Compatible => {
            let models = counted(models.len() as u64, "model");
            format!("{owner} lists {models}. Whether it takes the key, the first request shows.")
        }
        Some(KeyCheck::Lists(models)) => {
            format!("{owner} takes the key: {}.", counted(models.len() as u64, "model"))
        }
        Some(KeyCheck::Unknown(why)) => format!("The key is not checked: {why}."),
        None => "The key is not checked.".to_owned(),
    };
    let file = keys()?.store(owner.name(), key)?;
    line(&plain(&said));
    line(&plain(&format!("It is stored in {}, which only you can read.", file.display())));
    Ok(())
}

/// Says how sessions come to use the key, unless they do by themselves.
async fn say_default(owner: &KeyOwner) -> anyhow::Result<()> {
    if owner.provider() == Provider::Compatible {
        line(&format!("To use it: throughline --base-url {} -m MODEL", plain(owner.base_url())));
        return Ok(());
    }
    let config = Config::load(ConfigSources::default())?;
    let choice = ModelChoice { keys: StoredKeys::of_user(), ..ModelChoice::default() }.completed(&config);
    let used = discover(&choice).await.map(|found| found.provider);
    let name = owner.provider().name();
    line(&match used {
        Ok(used) if used == owner.provider() => {
            format!("Sessions use {name} now, unless another model is named.")
        }
        Ok(used) => format!(
            "The settings name {}. To use {name}: throughline --provider {name}, or always: throughline config set \
             model.provider {name}",
            used.name()
        ),
        // The settings name something that cannot be used; a session says what.
        Err(_) => format!("To use it: throughline --provider {name}"),
    });
    Ok(())
}
