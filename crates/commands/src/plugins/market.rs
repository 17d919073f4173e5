//! `plugin marketplace`: the lists of plugins that the user knows.

use anyhow::bail;
use serde_json::json;
use throughline_config::PluginFile;
use throughline_plugins::{Marketplace, MarketplaceOrigin, MarketplaceRecord, PluginError, Registry};
use throughline_terminal::table;
use throughline_text::{counted, error_chain, first_chars, nearest_name, plain};

use super::args::MarketplaceCommand;
use crate::answer::Answer;
use crate::usage::UsageError;

/// Characters of a commit that are shown.
const COMMIT: usize = 9;

pub(super) async fn run(file: &PluginFile, what: &MarketplaceCommand) -> anyhow::Result<Answer> {
    Ok(match what {
        MarketplaceCommand::Add { place } => Answer::lines(&add(file, place).await?),
        MarketplaceCommand::List { .. } => list(file)?,
        MarketplaceCommand::Update { name } => Answer::lines(&update(file, name.as_deref()).await?),
        MarketplaceCommand::Remove { name } => Answer::lines(&[remove(file, name)?]),
    })
}

async fn add(file: &PluginFile, place: &str) -> anyhow::Result<Vec<String>> {
    let origin = MarketplaceOrigin::parse(place).map_err(|error| match error {
        PluginError::Usage(text) => anyhow::Error::new(UsageError(text)),
        error => error.into(),
    })?;
    let prepared = file.home().fetch_marketplace(origin.clone()).await?;
    let name = prepared.marketplace.name.clone();
    if let Some(known) = file.read()?.marketplaces.get(&name)
        && known.origin != origin
    {
        bail!(UsageError(format!(
            "a marketplace {name} is known already, from {}; `throughline plugin marketplace remove {name}` removes it",
            known.origin
        )));
    }
    let (count, problems) = (prepared.marketplace.plugins.len(), prepared.marketplace.problems.clone());
    let record = prepared.place()?;
    file.change(|registry| drop(registry.marketplaces.insert(name.clone(), record)))?;
    let mut lines = vec![format!(
        "Added the marketplace {name} ({}). To install one: throughline plugin install PLUGIN@{name}",
        counted(count as u64, "plugin")
    )];
    lines.extend(problems);
    Ok(lines)
}

/// Reads a known marketplace where it is now.
pub(super) fn read(
    file: &PluginFile,
    name: &str,
    record: &MarketplaceRecord,
) -> Result<Marketplace, PluginError> {
    Marketplace::read(&file.home().marketplace(name, record))
}

/// Gets the newest list of a marketplace, and records its commit.
pub(super) async fn refresh(
    file: &PluginFile,
    name: &str,
) -> anyhow::Result<(Marketplace, MarketplaceRecord)> {
    let known = find(&file.read()?, name)?;
    let prepared = file.home().fetch_marketplace(known.origin).await?;
    let found = &prepared.marketplace.name;
    anyhow::ensure!(
        found == name,
        "the marketplace {name} is named {found} now; remove it and add it again: throughline plugin marketplace remove {name}"
    );
    let record = prepared.place()?;
    file.change(|registry| drop(registry.marketplaces.insert(name.to_owned(), record.clone())))?;
    Ok((read(file, name, &record)?, record))
}

fn list(file: &PluginFile) -> anyhow::Result<Answer> {
    let registry = file.read()?;
    let mut rows = vec![["MARKETPLACE", "PLUGINS", "COMMIT", "FROM"].map(str::to_owned).to_vec()];
    let (mut lines, mut objects) = (Vec::new(), Vec::new());
    for (name, record) in &registry.marketplaces {
        let read = read(file, name, record);
        let count = read.as_ref().map_or("-".to_owned(), |read| read.plugins.len().to_string());
        let commit = record.commit.as_deref().map_or("-", |commit| first_chars(commit, COMMIT)).to_owned();
        rows.push(vec![name.clone(), count, commit, record.origin.to_string()]);
        let mut notices = Vec::new();
        let mut plugins = Vec::new();
        match read {
            Ok(read) => {
                for plugin in &read.plugins {
                    let about = plugin.description.as_deref().unwrap_or_default();
                    lines.push(format!("  {}@{name}  {about}", plugin.name).trim_end().to_owned());
                    plugins.push(json!({
                        "name": plugin.name, "version": plugin.version, "description": plugin.description,
                        "source": plugin.source.to_string(), "installed": registry.plugins.contains_key(&plugin.name),
                    }));
                }
                notices.extend(read.problems);
            }
            Err(error) => notices.push(error_chain(&error)),
        }
        lines.extend(notices.iter().cloned());
        objects.push(json!({
            "name": name, "from": record.origin.to_string(), "commit": record.commit, "plugins": plugins, "notices": notices,
        }));
    }
    if objects.is_empty() {
        let text =
            "No marketplaces. To add one: throughline plugin marketplace add FOLDER|GIT-URL|OWNER/REPO";
        return Ok(Answer { text: text.to_owned(), json: json!([]) });
    }
    let text = [table(&rows), vec![String::new()], lines].concat().join("\n");
    Ok(Answer { text: plain(&text), json: json!(objects) })
}

async fn update(file: &PluginFile, name: Option<&str>) -> anyhow::Result<Vec<String>> {
    let registry = file.read()?;
    let names: Vec<String> = match name {
        Some(name) => find(&registry, name).map(|_| vec![name.to_owned()])?,
        None => registry.marketplaces.keys().cloned().collect(),
    };
    let (mut lines, mut failures) = (Vec::new(), Vec::new());
    for name in names {
        match refresh(file, &name).await {
            Ok((read, record)) => {
                let commit = record.commit.as_deref().map(|commit| first_chars(commit, COMMIT));
                let state = commit.map_or("a folder".to_owned(), |commit| format!("at {commit}"));
                lines.push(format!("{name}: {}, {state}.", counted(read.plugins.len() as u64, "plugin")));
                lines.extend(read.problems);
            }
            Err(error) => failures.push(format!("{name} is not updated: {}", error_chain(error.as_ref()))),
        }
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    if lines.is_empty() {
        lines.push("No marketplaces.".to_owned());
    }
    Ok(lines)
}

fn remove(file: &PluginFile, name: &str) -> anyhow::Result<String> {
    let registry = file.read()?;
    find(&registry, name)?;
    file.change(|registry| drop(registry.marketplaces.remove(name)))?;
    file.home().remove_clone(name)?;
    let of_it = registry.plugins.iter().filter(|(_, record)| record.marketplace == name);
    let plugins: Vec<&str> = of_it.map(|(name, _)| name.as_str()).collect();
    let stay = match plugins.is_empty() {
        true => String::new(),
        false => format!(" These plugins of it stay installed, without updates: {}.", plugins.join(", ")),
    };
    Ok(format!("Removed the marketplace {name}.{stay}"))
}

/// The record of a marketplace.
pub(super) fn find(registry: &Registry, name: &str) -> Result<MarketplaceRecord, UsageError> {
    registry.marketplaces.get(name).cloned().ok_or_else(|| {
        let names: Vec<&str> = registry.marketplaces.keys().map(String::as_str).collect();
        let hint = match (nearest_name(name, names.iter().copied()), names.is_empty()) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, false) => format!("there are: {}", names.join(", ")),
            (None, true) => "`throughline plugin marketplace add PLACE` adds one".to_owned(),
        };
        UsageError(format!("there is no marketplace {name:?}; {hint}"))
    })
}
