//! `plugin install` and `plugin update`: what a plugin would run is shown before it is in place.

use std::collections::BTreeMap;

use anyhow::bail;
use throughline_config::{PluginContents, PluginFile, what_runs};
use throughline_plugins::{ListedPlugin, Marketplace, MarketplaceRecord, PluginRecord, PreparedPlugin};
use throughline_terminal::{ask, note};
use throughline_text::{error_chain, first_chars, nearest_name, plain};

use super::args::{InstallArgs, UpdateArgs};
use super::change::find;
use super::list::brings;
use super::market::{self, read, refresh};
use crate::answer::Answer;
use crate::usage::UsageError;

/// Why nothing was installed.
#[derive(Debug, thiserror::Error)]
enum NotInstalled {
    #[error("{0} was not installed: what it would run is above; run it again with --yes to confirm")]
    NoTerminal(String),
    #[error("{0} was not installed")]
    Refused(String),
}

/// A plugin of a known marketplace.
struct Offer {
    marketplace: Marketplace,
    record: MarketplaceRecord,
    listed: ListedPlugin,
}

pub(super) async fn install(file: &PluginFile, args: &InstallArgs) -> anyhow::Result<Answer> {
    let (name, wanted) = match args.name.split_once('@') {
        Some((name, marketplace)) => (name, Some(marketplace)),
        None => (args.name.as_str(), None),
    };
    let Offer { marketplace, record, listed } = offer(file, name, wanted)?;
    if file.read()?.plugins.contains_key(name) {
        bail!(UsageError(format!(
            "the plugin {name} is installed already; `throughline plugin update {name}` updates it"
        )));
    }
    let prepared = file.home().fetch_plugin(&marketplace, &listed, record.commit).await?;
    let mut lines = confirm(&prepared, &format!("Install the plugin {name}?"), args.yes)?;
    let record = prepared.place()?;
    let version = shown_version(&record);
    file.change(|registry| drop(registry.plugins.insert(name.to_owned(), record)))?;
    lines.push(format!("Installed the plugin {name}{version}, from the next session on."));
    Ok(Answer::lines(&lines))
}

pub(super) async fn update(file: &PluginFile, args: &UpdateArgs) -> anyhow::Result<Answer> {
    let registry = file.read()?;
    let wanted: Vec<(String, PluginRecord)> = match &args.name {
        Some(name) => vec![(name.clone(), find(&registry, name)?)],
        None => registry.plugins.into_iter().collect(),
    };
    let mut updating = Updating { file, yes: args.yes, lists: BTreeMap::new() };
    let (mut lines, mut failures) = (Vec::new(), Vec::new());
    for (name, record) in wanted {
        match updating.one(&name, record).await {
            Ok(more) => lines.extend(more),
            Err(error) if args.name.is_some() => return Err(error),
            Err(error) => failures.push(format!("{name} is not updated: {}", error_chain(error.as_ref()))),
        }
    }
    if !failures.is_empty() {
        lines.iter().for_each(|line| note(line));
        bail!("{}", failures.join("; "));
    }
    if lines.is_empty() {
        lines.push("No plugins are installed.".to_owned());
    }
    Ok(Answer::lines(&lines))
}

/// Updates plugins. A marketplace is fetched once.
struct Updating<'a> {
    file: &'a PluginFile,
    yes: bool,
    lists: BTreeMap<String, (Marketplace, MarketplaceRecord)>,
}

impl Updating<'_> {
    async fn one(&mut self, name: &str, old: PluginRecord) -> anyhow::Result<Vec<String>> {
        if !self.lists.contains_key(&old.marketplace) {
            self.lists.insert(old.marketplace.clone(), refresh(self.file, &old.marketplace).await?);
        }
        let known = self.lists.get(&old.marketplace);
        let offer = known.and_then(|(list, record)| Some((list, record, list.find(name)?)));
        let Some((list, record, listed)) = offer else {
            bail!(
                "the marketplace {} does not list it any more; `throughline plugin remove {name}` removes it",
                old.marketplace
            );
        };
        let home = self.file.home();
        let mut new = home.fetch_plugin(list, listed, record.commit.clone()).await?;
        if new.record.files == old.files && home.is_whole(name, &old) {
            return Ok(vec![format!("{name}{} is up to date.", shown_version(&old))]);
        }
        let mut lines = Vec::new();
        if new.record.runs != old.runs && !new.record.runs.is_empty() {
            let question = format!("{name}: what it runs has changed. Update it?");
            lines.extend(confirm(&new, &question, self.yes)?);
        }
        new.record.enabled = old.enabled;
        let record = new.place()?;
        let versions = format!("{} →{}", shown_version(&old), shown_version(&record));
        self.file.change(|registry| drop(registry.plugins.insert(name.to_owned(), record.clone())))?;
        // Sessions that are open continue with the old copy.
        home.remove_copies(name, &[&old, &record])?;
        lines.push(format!("Updated {name}:{versions}, from the next session on."));
        Ok(lines)
    }
}

/// Finds a plugin in the known marketplaces, or in one of them.
fn offer(file: &PluginFile, name: &str, wanted: Option<&str>) -> anyhow::Result<Offer> {
    let registry = file.read()?;
    if let Some(wanted) = wanted {
        market::find(&registry, wanted)?;
    }
    let known =
        registry.marketplaces.iter().filter(|(known, _)| wanted.is_none_or(|wanted| wanted == *known));
    let (mut offers, mut names, mut broken) = (Vec::new(), Vec::new(), Vec::new());
    for (market, record) in known {
        match read(file, market, record) {
            Ok(marketplace) => {
                names.extend(marketplace.plugins.iter().map(|plugin| plugin.name.clone()));
                if let Some(listed) = marketplace.find(name).cloned() {
                    offers.push(Offer { marketplace, record: record.clone(), listed });
                }
            }
            Err(error) => broken.push(error_chain(&error)),
        }
    }
    match (offers.pop(), offers.as_slice()) {
        (Some(one), []) => Ok(one),
        (Some(one), more) => {
            let lists = more.iter().chain([&one]).map(|offer| format!("{name}@{}", offer.marketplace.name));
            let lists: Vec<String> = lists.collect();
            bail!(UsageError(format!(
                "several marketplaces have a plugin {name}; write {}",
                lists.join(" or ")
            )))
        }
        (None, _) => {
            let near = nearest_name(name, names.iter().map(String::as_str));
            let hint = near.map_or_else(
                || "`throughline plugin marketplace list` shows those that there are".to_owned(),
                |near| format!("did you mean {near}?"),
            );
            let broken = broken.iter().map(|why| format!("; {why}")).collect::<String>();
            bail!(UsageError(format!("no marketplace has a plugin {name:?}; {hint}{broken}")))
        }
    }
}

/// Shows what a plugin would run, and asks unless it is confirmed. Returns what is still to be shown.
fn confirm(prepared: &PreparedPlugin, question: &str, yes: bool) -> anyhow::Result<Vec<String>> {
    let plugin = &prepared.plugin;
    let contents = PluginContents::of(plugin);
    let mut lines = vec![format!("The plugin {}{} brings:", plugin.name, shown_version(&prepared.record))];
    lines.extend(brings(&contents));
    let runs = what_runs(plugin);
    if runs.is_empty() {
        lines.push("It runs nothing by itself.".to_owned());
    } else {
        lines.push("It would run, with your rights:".to_owned());
        lines.extend(runs.into_iter().map(|line| format!("  {line}")));
    }
    lines.extend(contents.notices);
    if yes {
        return Ok(lines);
    }
    lines.iter().for_each(|line| note(&plain(line)));
    match ask(question)? {
        Some(true) => Ok(Vec::new()),
        Some(false) => bail!(NotInstalled::Refused(plugin.name.clone())),
        None => bail!(NotInstalled::NoTerminal(plugin.name.clone())),
    }
}

/// The version of a plugin with a space before it, else the start of its commit; empty: it has neither.
fn shown_version(record: &PluginRecord) -> String {
    let commit = record.commit.as_deref().map(|commit| first_chars(commit, 9));
    record.version.as_deref().or(commit).map(|text| format!(" {text}")).unwrap_or_default()
}
