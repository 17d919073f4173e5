//! `throughline models`: configured models, and which providers answer.

mod pull;

use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use throughline::{
    Config, ConfigSources, ConnectedModel, DiscoveredProvider, KeySource, ModelChoice, Provider, discover,
    endpoint, model_overrides_file, model_table, shown_address,
};
use throughline_providers::http::ReqwestTransport;
use throughline_providers::models::{ModelRow, ModelTable};
use throughline_providers::ollama::Ollama;
use throughline_providers::{anthropic, openai};
use throughline_text::{error_chain, group_thousands};

use crate::session::ModelArgs;
use crate::terminal::{Style, headline, json as print_json, line, plain, table};

/// How long a provider may take to list its models.
const PATIENCE: Duration = Duration::from_secs(10);
/// Models listed per provider without `--all`.
const SHOWN: usize = 12;

/// Arguments of `throughline models`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// List every model that a provider serves
    #[arg(long)]
    pub(crate) all: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What else to do with models.
#[derive(Debug, Subcommand)]
enum Action {
    /// Download or update a model with Ollama
    Pull(pull::PullArgs),
}

/// A provider and its answer.
struct ProviderStatus {
    provider: Provider,
    /// Its address without secrets.
    address: String,
    key: &'static str,
    state: Result<Vec<String>, String>,
}

/// Prints the list.
pub(crate) async fn run(args: &ModelsArgs) -> anyhow::Result<()> {
    if let Some(Action::Pull(args)) = &args.action {
        return pull::run(args).await;
    }
    let known = model_table()?;
    let model = Config::load(ConfigSources::default())?.model(&args.model.choice());
    let (asked, chosen) = tokio::join!(ask_all(&model), ConnectedModel::connect(&model));
    let chosen = chosen.map(|connected| connected.row).map_err(|error| error.text());
    if args.json {
        return print_json(&object(&asked, &chosen, &known));
    }
    print(&asked, &chosen, &known, args.all);
    Ok(())
}

/// A model that can be asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Offer {
    pub(crate) provider: &'static str,
    pub(crate) name: String,
    pub(crate) window: u64,
    pub(crate) dollars_per_million_input: Option<f64>,
}

/// The models of all configured providers that answer.
pub(crate) async fn offers(args: &ModelChoice) -> Vec<Offer> {
    let Ok(known) = model_table() else { return Vec::new() };
    let mut offers = Vec::new();
    for one in ask_all(args).await {
        // A provider that does not answer offers no models.
        let ProviderStatus { provider, state: Ok(models), .. } = one else { continue };
        for name in models {
            let row = known.find(provider.name(), &name);
            let (window, dollars_per_million_input) = (row.info.window, row.dollars_per_million_input);
            offers.push(Offer { provider: provider.name(), name, window, dollars_per_million_input });
        }
    }
    offers
}

/// Asks all configured providers, in parallel.
async fn ask_all(args: &ModelChoice) -> Vec<ProviderStatus> {
    let asking: Vec<_> = Provider::ALL
        .into_iter()
        .map(|provider| {
            let args = args.clone();
            tokio::spawn(async move { ask(&args, provider).await })
        })
        .collect();
    let mut asked = Vec::new();
    for one in asking {
        asked.extend(one.await.ok().flatten());
    }
    asked
}

/// Asks a provider, if the arguments or the environment configure it.
async fn ask(args: &ModelChoice, provider: Provider) -> Option<ProviderStatus> {
    // An address or a key file belongs only to the provider that it was given for.
    let wanted = if args.named_provider() == Some(provider) {
        args.clone()
    } else if provider == Provider::Compatible {
        return None;
    } else {
        ModelChoice { provider: Some(provider), ..ModelChoice::default() }
    };
    let address = shown_address(&wanted.base_url.clone().or_else(|| provider.address())?);
    let late = || format!("did not answer within {} seconds", PATIENCE.as_secs());
    let found = match tokio::time::timeout(PATIENCE, discover(&wanted)).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) => {
            let state = Err(headline(&error.text(), 200));
            return Some(ProviderStatus { provider, address, key: "-", state });
        }
        Err(_) => return Some(ProviderStatus { provider, address, key: "-", state: Err(late()) }),
    };
    let state = match tokio::time::timeout(PATIENCE, served(&wanted, &found)).await {
        Ok(Ok(models)) => Ok(models),
        Ok(Err(error)) => Err(headline(&error_chain(error.as_ref()), 200)),
        Err(_) => Err(late()),
    };
    let key = match found.source {
        KeySource::File => "file",
        KeySource::Environment => provider.key_variable().unwrap_or("-"),
        KeySource::None => "-",
    };
    Some(ProviderStatus { provider, address, key, state })
}

async fn served(args: &ModelChoice, found: &DiscoveredProvider) -> anyhow::Result<Vec<String>> {
    if !found.served.is_empty() {
        // Listed while connecting.
        return Ok(found.served.clone());
    }
    let endpoint = endpoint(args, found)?;
    let transport = ReqwestTransport::new(endpoint.timeouts);
    Ok(match found.provider {
        Provider::Anthropic => anthropic::served_models(&endpoint, &transport).await?,
        Provider::Openai | Provider::Compatible => openai::served_models(&endpoint, &transport).await?,
        Provider::Ollama => {
            let models = Ollama::new(&endpoint)?.list().await?;
            models.into_iter().map(|model| model.name).collect()
        }
    })
}

fn print(asked: &[ProviderStatus], chosen: &Result<ModelRow, String>, known: &ModelTable, all: bool) {
    let style = Style::of_stdout();
    let mut rows = vec![["PROVIDER", "KEY", "ADDRESS", "STATE"].map(str::to_owned).to_vec()];
    for one in asked {
        let state = match &one.state {
            Ok(models) => format!("answers, {} models", models.len()),
            Err(why) => why.clone(),
        };
        rows.push(vec![
            one.provider.name().to_owned(),
            one.key.to_owned(),
            plain(&one.address),
            plain(&state),
        ]);
    }
    for text in table(&rows) {
        line(&text);
    }
    for one in asked {
        let Ok(models) = &one.state else { continue };
        if models.is_empty() {
            continue;
        }
        line("");
        line(&style.bold(one.provider.name()));
        let shown = if all { models.len() } else { SHOWN };
        let header = ["MODEL", "WINDOW", "MAX OUTPUT", "$ PER MILLION IN"].map(str::to_owned).to_vec();
        let rows: Vec<Vec<String>> =
            models.iter().take(shown).map(|name| row(&known.find(one.provider.name(), name), name)).collect();
        for text in table(&[vec![header], rows].concat()) {
            line(&format!("  {text}"));
        }
        if models.len() > shown {
            line(&style.dim(&format!("  and {} more: throughline models --all", models.len() - shown)));
        }
    }
    line("");
    match chosen {
        Ok(row) => {
            let info = &row.info;
            line(&format!(
                "`throughline run` uses {}/{}: a window of {} tokens, at most {} of output.",
                info.provider,
                plain(&info.name),
                group_thousands(info.window),
                group_thousands(info.max_output)
            ));
            if let Some(note) = &row.note {
                line(&plain(note));
            }
        }
        Err(why) => line(&plain(&format!("`throughline run` has no model: {why}."))),
    }
    if let Some(file) = model_overrides_file() {
        let state = if file.exists() { "is overridden by" } else { "can be overridden in" };
        line(&style.dim(&format!("The model table {state} {}.", file.display())));
    }
}

fn row(found: &ModelRow, name: &str) -> Vec<String> {
    let dollars = found.dollars_per_million_input.map_or("-".to_owned(), |price| format!("{price:.2}"));
    vec![plain(name), group_thousands(found.info.window), group_thousands(found.info.max_output), dollars]
}

fn object(asked: &[ProviderStatus], chosen: &Result<ModelRow, String>, known: &ModelTable) -> Value {
    let providers: Vec<Value> = asked
        .iter()
        .map(|one| {
            let models = one.state.as_ref().map(|models| {
                let model = |name: &String| {
                    let found = known.find(one.provider.name(), name);
                    json!({
                        "model": name,
                        "window": found.info.window,
                        "max_output": found.info.max_output,
                        "usd_per_million_input": found.dollars_per_million_input,
                        "assumed": found.note,
                    })
                };
                models.iter().map(model).collect::<Vec<_>>()
            });
            json!({
                "provider": one.provider.name(),
                "base_url": one.address,
                "key": one.key,
                "reachable": one.state.is_ok(),
                "error": one.state.as_ref().err(),
                "models": models.unwrap_or_default(),
            })
        })
        .collect();
    let used = chosen.as_ref().ok().map(|row| {
        json!({
            "provider": row.info.provider,
            "model": row.info.name,
            "window": row.info.window,
            "max_output": row.info.max_output,
            "assumed": row.note,
        })
    });
    json!({"providers": providers, "used": used, "why_none": chosen.as_ref().err()})
}
