//! `throughline config`: what holds, and where it was written.

use std::path::PathBuf;

use serde_json::{Value, json};
use throughline_commands::settings::rows;
use throughline_config::{Config, ConfigSources, Project, model_overrides_file, settings_files, workspace};
use throughline_settings::Origin;
use throughline_terminal::{Style, json as print_json, line};
use throughline_text::plain;

use super::args::{ConfigArgs, ConfigShowArgs, ConfigWhat};
use super::{change, get, key};

/// Runs it.
pub(crate) async fn run(args: &ConfigArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    match &args.what {
        ConfigWhat::Show(args) => show(args, data_dir),
        ConfigWhat::Get(args) => get::run(args, data_dir),
        ConfigWhat::Set(args) => change::set(args, data_dir),
        ConfigWhat::Unset(args) => change::unset(args, data_dir),
        ConfigWhat::Key(args) => key::run(args, data_dir).await,
        ConfigWhat::Path => paths(),
    }
}

fn show(args: &ConfigShowArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let sources = ConfigSources {
        file: args.config.as_deref(),
        workspace: args.workspace.as_deref(),
        data_dir,
        ..ConfigSources::default()
    };
    let config = Config::load(sources)?;
    if args.json {
        return Ok(print_json(&object(&config))?);
    }
    for text in rows(&config, args.origin, |_| true) {
        line(&text);
    }
    let style = Style::of_stdout();
    let ignored = config.ignored();
    line("");
    line(&format!("{}: {}", plain(&config.project.root.display().to_string()), config.trust.text()));
    for text in config.notices() {
        line(&plain(&text));
    }
    if !ignored.is_empty() {
        line(&style.bold("Ignored until you trust this project (throughline trust):"));
        for text in ignored {
            line(&format!("  {}", plain(&text)));
        }
    }
    Ok(())
}

/// A setting for programs.
pub(super) fn entry(value: &str, origin: &Origin) -> Value {
    let set = *origin != Origin::Default;
    json!({ "value": value, "set": set, "origin": origin.to_string() })
}

fn object(config: &Config) -> Value {
    let settings: serde_json::Map<String, Value> = config
        .resolved
        .shown()
        .into_iter()
        .map(|(key, value, origin)| (key.to_owned(), entry(&value, &origin)))
        .collect();
    let servers: Vec<Value> = config
        .resolved
        .servers()
        .map(|server| {
            json!({
                "name": server.name,
                "what": server.transport.shown(),
                "origin": server.origin.to_string(),
            })
        })
        .collect();
    json!({
        "settings": settings,
        "mcp_servers": servers,
        "project": config.project.root.to_string_lossy(),
        "trust": config.trust.text(),
        "ignored": config.ignored(),
        "unusable": config.project.problems,
    })
}

fn paths() -> anyhow::Result<()> {
    let project = Project::read(&workspace(None)?);
    let own = settings_files().into_iter().chain(model_overrides_file());
    let theirs = [project.config_name(), project.mcp_name()].map(PathBuf::from);
    for path in own.chain(theirs) {
        let there = if path.exists() { "" } else { " (missing)" };
        line(&format!("{}{there}", plain(&path.display().to_string())));
    }
    Ok(())
}
