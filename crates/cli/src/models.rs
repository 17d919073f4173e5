//! `throughline models`: configured models, and which providers answer.

mod limits;
mod pull;
mod resolution;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use throughline::ModelChoice;
use throughline_commands::with_said_limits;
use throughline_config::{Config, ConfigSources, model_overrides_file};
use throughline_connect::{
    ConnectedModel, KnownLimits, ModelRow, ProviderStatus, model_table, provider_statuses,
};
use throughline_terminal::{Style, json as print_json, line, table};
use throughline_text::{counted, group_thousands, plain};

use crate::session::ModelArgs;

/// Models listed per provider without `--all`.
const SHOWN: usize = 12;

/// Arguments of `throughline models`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    action: Option<Action>,
    /// Show the limits and prices of one model, as --model names it, and where each comes from
    #[arg(value_name = "NAME", conflicts_with_all = ["model", "all", "forget"])]
    name: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// List every model that a provider serves
    #[arg(long)]
    pub(crate) all: bool,
    /// Forget the limits that servers have said of this model, named alone or as HOST:PORT/MODEL
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    forget: Option<String>,
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

/// Prints the list.
pub(crate) async fn run(args: &ModelsArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    if let Some(Action::Pull(args)) = &args.action {
        return pull::run(args).await;
    }
    if let Some(name) = &args.forget {
        return limits::forget(name, data_dir, args.json);
    }
    let config = Config::load(ConfigSources { data_dir: data_dir.clone(), ..ConfigSources::default() })?;
    if let Some(name) = args.name.clone() {
        let choice = ModelChoice { model: Some(name), ..args.model.choice() };
        return resolution::print(&choice.completed(&config), &config, args.json).await;
    }
    let known = model_table()?;
    let model = args.model.choice().completed(&config);
    let (asked, chosen) = tokio::join!(provider_statuses(&model), ConnectedModel::connect(&model));
    let chosen = chosen.map(|connected| connected.row).map_err(|error| error.text());
    let mut offered = Vec::new();
    for one in &asked {
        let names = one.models.iter().flatten();
        let rows = names.map(|name| known.find(one.provider.name(), name)).collect();
        offered.push(with_said_limits(rows, &model).await);
    }
    // After the models were asked: their servers may have said something new.
    let stored = limits::stored(data_dir)?;
    if args.json {
        return Ok(print_json(&object(&asked, &offered, &chosen, &stored))?);
    }
    print(&asked, &offered, args.all);
    limits::print(&stored);
    line("");
    print_chosen(&chosen);
    Ok(())
}

/// The providers, and the models that each offers.
fn print(asked: &[ProviderStatus], offered: &[Vec<ModelRow>], all: bool) {
    let style = Style::of_stdout();
    let mut rows = vec![["PROVIDER", "KEY", "ADDRESS", "STATE"].map(str::to_owned).to_vec()];
    for one in asked {
        let state = match &one.models {
            Ok(models) => format!("answers, {}", counted(models.len() as u64, "model")),
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
    for (one, models) in asked.iter().zip(offered) {
        if models.is_empty() {
            continue;
        }
        line("");
        line(&style.bold(one.provider.name()));
        let shown = if all { models.len() } else { SHOWN };
        let header = ["MODEL", "WINDOW", "MAX OUTPUT", "$ PER MILLION IN"].map(str::to_owned).to_vec();
        let rows: Vec<Vec<String>> = models.iter().take(shown).map(row).collect();
        for text in table(&[vec![header], rows].concat()) {
            line(&format!("  {text}"));
        }
        if models.len() > shown {
            line(&style.dim(&format!("  and {} more: throughline models --all", models.len() - shown)));
        }
    }
}

/// What runs without further options use.
fn print_chosen(chosen: &Result<ModelRow, String>) {
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
        line(&Style::of_stdout().dim(&format!("The model table {state} {}.", file.display())));
    }
}

fn row(found: &ModelRow) -> Vec<String> {
    let dollars = found.dollars_per_million_input.map_or("-".to_owned(), |price| format!("{price:.2}"));
    vec![
        plain(&found.info.name),
        group_thousands(found.info.window),
        group_thousands(found.info.max_output),
        dollars,
    ]
}

fn object(
    asked: &[ProviderStatus],
    offered: &[Vec<ModelRow>],
    chosen: &Result<ModelRow, String>,
    stored: &[(String, KnownLimits)],
) -> Value {
    let providers: Vec<Value> = asked
        .iter()
        .zip(offered)
        .map(|(one, rows)| {
            let model = |found: &ModelRow| {
                json!({
                    "model": found.info.name,
                    "window": found.info.window,
                    "max_output": found.info.max_output,
                    "usd_per_million_input": found.dollars_per_million_input,
                    "assumed": found.note,
                })
            };
            let models: Vec<Value> = rows.iter().map(model).collect();
            json!({
                "provider": one.provider.name(),
                "base_url": one.address,
                "key": one.key,
                "reachable": one.models.is_ok(),
                "error": one.models.as_ref().err(),
                "models": models,
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
    let limits = limits::object(stored);
    json!({"providers": providers, "used": used, "why_none": chosen.as_ref().err(), "limits": limits})
}
