//! Asks which model to use, where none is configured.

use anyhow::{Context as _, bail};
use throughline_commands::UsageError;
use throughline_config::SettingsFile;
use throughline_connect::{KeyCheck, KeyOwner, Provider, local_ollama};
use throughline_settings::keys;
use throughline_terminal::{ask_line, ask_secret, note};
use throughline_text::plain;

use super::{question, say_default, store};

/// Maximum models of a server that are listed.
const SHOWN_MODELS: usize = 20;

/// What a question says after a wrong answer.
const AGAIN: &str = "Try again, or press Enter to leave.";

/// What can be used. The keys are those that the user types.
const WAYS: [(&str, &str, &str); 5] = [
    ("1", "Anthropic", "a key from console.anthropic.com"),
    ("2", "OpenAI", "a key from platform.openai.com"),
    ("3", "Gemini", "a key from aistudio.google.com"),
    ("4", "Ollama", ""),
    ("5", "Another server", "vLLM, llama.cpp, OpenRouter, …"),
];

/// Asks which model to use, and stores what it needs. Returns false if the user leaves, or if it needs something else first,
/// which is said.
pub(crate) async fn choose() -> anyhow::Result<bool> {
    note("Which model do you want to use?");
    note("");
    for (key, name, what) in WAYS {
        let what = if what.is_empty() { ollama().await } else { what.to_owned() };
        note(&format!("  {key}  {name:16}{what}"));
    }
    note("");
    note("A subscription of Claude or ChatGPT cannot be used here.");
    loop {
        let Some(answer) = ask_line("1 to 5, or Enter to leave:")? else {
            return Err(UsageError(
                "there is no terminal to ask on; name the provider: throughline login PROVIDER".to_owned(),
            )
            .into());
        };
        match answer.as_str() {
            "" => return Ok(false),
            "1" => return key_of(Provider::Anthropic).await,
            "2" => return key_of(Provider::Openai).await,
            "3" => return key_of(Provider::Gemini).await,
            "4" => return use_ollama().await,
            "5" => return use_server().await,
            _ => note("Type one of the numbers."),
        }
    }
}

/// What the list says of the Ollama of this machine.
async fn ollama() -> String {
    match local_ollama().await {
        Some(found) => match found.served.as_slice() {
            [] => "runs here and has no model".to_owned(),
            [first] => format!("runs here with {}", plain(first)),
            [first, more @ ..] => format!("runs here with {} and {} more", plain(first), more.len()),
        },
        None => "without a key; it is not running".to_owned(),
    }
}

async fn key_of(provider: Provider) -> anyhow::Result<bool> {
    let owner = KeyOwner::read(provider.name())?;
    loop {
        let key = ask_secret(&question(&owner)).context("the key could not be read")?;
        if key.trim().is_empty() {
            return Ok(false);
        }
        let stored = match owner.check(Some(&key)).await {
            Ok(check) => store(&owner, &key, Some(&check)),
            Err(error) => Err(error.into()),
        };
        match stored {
            Ok(()) => break,
            Err(error) => note(&format!("{error:#}\n{AGAIN}")),
        }
    }
    say_default(&owner).await?;
    Ok(true)
}

/// Makes the local Ollama what sessions use.
async fn use_ollama() -> anyhow::Result<bool> {
    match local_ollama().await {
        Some(found) if !found.served.is_empty() => {
            let file = SettingsFile::of_user()?;
            file.set(keys::PROVIDER.name(), Provider::Ollama.name())?;
            note(&plain(&format!("Sessions use Ollama now: {} says so.", file.path().display())));
            Ok(true)
        }
        Some(_) => {
            note("Fetch a model first: throughline models pull qwen3");
            Ok(false)
        }
        None => {
            note("Start it with `ollama serve`, then fetch a model: throughline models pull qwen3");
            Ok(false)
        }
    }
}

/// Makes a server what sessions use.
async fn use_server() -> anyhow::Result<bool> {
    let owner = loop {
        let address = ask_line("Its address, for example http://127.0.0.1:8000/v1:")?.unwrap_or_default();
        if address.is_empty() {
            return Ok(false);
        }
        match KeyOwner::read(&address) {
            Ok(owner) if owner.provider() == Provider::Compatible => break owner,
            Ok(_) => note("Write the address with http:// or https://."),
            Err(error) => note(&format!("{}\n{AGAIN}", error.text())),
        }
    };
    let key = ask_secret("Its key (it is not shown; Enter if it needs none):")?;
    let key = Some(key.trim()).filter(|key| !key.is_empty());
    let check = owner.check(key).await?;
    let models = match &check {
        KeyCheck::Lists(models) => models.as_slice(),
        KeyCheck::Refused(why) if key.is_none() => bail!("{owner} wants a key: {}", plain(why)),
        KeyCheck::Refused(_) | KeyCheck::Unknown(_) => &[],
    };
    if let Some(key) = key {
        store(&owner, key, Some(&check))?;
    } else if let KeyCheck::Unknown(why) = &check {
        note(&plain(&format!("{owner} does not list its models: {why}.")));
    }
    let Some(model) = model_of(models)? else { return Ok(false) };
    let file = SettingsFile::of_user()?;
    file.set_all(&[
        (keys::PROVIDER.name(), Provider::Compatible.name()),
        (keys::BASE_URL.name(), owner.base_url()),
        (keys::MODEL.name(), &model),
    ])?;
    note(&plain(&format!("Sessions use {model} at {owner} now: {} says so.", file.path().display())));
    Ok(true)
}

/// The model of a server that the user names. `None`: none.
fn model_of(models: &[String]) -> anyhow::Result<Option<String>> {
    if let [only] = models {
        return Ok(Some(only.clone()));
    }
    for (at, name) in models.iter().take(SHOWN_MODELS).enumerate() {
        note(&format!("  {:>2}  {}", at + 1, plain(name)));
    }
    if let Some(more) = models.len().checked_sub(SHOWN_MODELS).filter(|more| *more > 0) {
        note(&format!("  and {more} more"));
    }
    let question =
        if models.is_empty() { "Model, as the server names it:" } else { "Model, by number or name:" };
    let answer = ask_line(question)?.unwrap_or_default();
    let by_number = answer.parse::<usize>().ok().and_then(|number| models.get(number.checked_sub(1)?));
    Ok(by_number.cloned().or(Some(answer)).filter(|name| !name.is_empty()))
}
