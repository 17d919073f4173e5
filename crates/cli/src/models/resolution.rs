//! `throughline models NAME`: which limits and prices a run with this model has, and where each comes from.

use anyhow::anyhow;
use serde_json::{Value, json};
use throughline::ModelChoice;
use throughline_config::{Config, SessionSettings, model_overrides_file};
use throughline_connect::{ConnectError, ConnectedModel, Known, ModelRow};
use throughline_terminal::{json as print_json, line};
use throughline_text::{group_thousands, plain};

/// Prints the resolution of the model that the choice names.
pub(super) async fn print(choice: &ModelChoice, config: &Config, as_json: bool) -> anyhow::Result<()> {
    let (model, missing) = resolved(choice).await.map_err(|error| anyhow!(error.text()))?;
    let reserve = model.next(&SessionSettings::of(&config.resolved), None).settings.max_output_tokens;
    if as_json {
        return Ok(print_json(&object(&model, reserve, missing.as_deref()))?);
    }
    let row = &model.row;
    let server = server(&model).map_or(String::new(), |server| format!(" at {server}"));
    let shown = [
        ("provider", format!("{}{server}", row.info.provider)),
        ("name sent", plain(model.sent_name())),
        ("in the table", in_table(&row.known)),
        ("figures from", source(row)),
        ("window", format!("{} tokens: {}", group_thousands(row.info.window), model.window.text())),
        ("reserve", format!("{} tokens for each answer", group_thousands(reserve))),
        ("max output", format!("{} tokens", group_thousands(row.info.max_output))),
        ("prices", prices(row)),
    ];
    for (what, text) in shown {
        line(&format!("{what:<13} {text}"));
    }
    if let Some(note) = &row.note {
        line(&plain(note));
    }
    if let Some(missing) = missing {
        line(&plain(&format!("A run has to have a key: {missing}.")));
    }
    Ok(())
}

/// The model, and what a run lacks: without a key it is still known what the tables have.
async fn resolved(choice: &ModelChoice) -> Result<(ConnectedModel, Option<String>), ConnectError> {
    match ConnectedModel::connect(choice).await {
        Err(error) if error.is_missing_key() => {
            let known = ConnectedModel::without_key(choice).await?;
            known.map(|model| (model, Some(error.text()))).ok_or(error)
        }
        connected => connected.map(|model| (model, None)),
    }
}

fn object(model: &ConnectedModel, reserve: u64, missing: Option<&str>) -> Value {
    let row = &model.row;
    let (known, by) = match &row.known {
        Known::Exact => ("exact", None),
        Known::Family(name) => ("family", Some(name)),
        Known::Default => ("none", None),
    };
    json!({
        "provider": row.info.provider,
        "server": server(model),
        "model": row.info.name,
        "name_sent": model.sent_name(),
        "table": {"match": known, "family": by, "source": row.source},
        "window": {"tokens": row.info.window, "source": model.window.name()},
        "reserve": reserve,
        "max_output": row.info.max_output,
        "prices": {"usd_per_million_input": row.dollars_per_million_input, "multiples": row.info.prices},
        "note": row.note,
        "missing": missing,
    })
}

fn server(model: &ConnectedModel) -> Option<String> {
    let server = model.model.server()?;
    Some(format!("{}:{}", server.host, server.port))
}

fn in_table(known: &Known) -> String {
    match known {
        Known::Exact => "yes".to_owned(),
        Known::Family(name) => format!("only its family {name}, whose figures are assumed"),
        Known::Default => "no: what small models of the provider have is assumed".to_owned(),
    }
}

fn prices(row: &ModelRow) -> String {
    let prices = row.info.prices;
    match row.dollars_per_million_input {
        Some(input) => {
            let of = |multiple: f64| format!("${:.2}", input * multiple);
            let file = model_overrides_file().filter(|file| file.exists());
            let source = if file.is_some() {
                "the table of models with your models.toml"
            } else {
                "the table of models"
            };
            format!(
                "{} in, {} out, {} cached, {} to write the cache, per million tokens: {source}",
                of(1.0),
                of(prices.output),
                of(prices.cache_read),
                of(prices.cache_write)
            )
        }
        None => "unknown: no cost is shown, and decisions assume the usual ratios".to_owned(),
    }
}

fn source(row: &ModelRow) -> String {
    match (&row.source, &row.known) {
        (Some(source), _) => plain(source),
        (None, Known::Default) => "no source: the model is not in the table".to_owned(),
        (None, _) => "your models.toml, over the built-in table".to_owned(),
    }
}
