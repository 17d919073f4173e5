//! The installed plugins with what each brings.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use throughline_config::{InstalledPlugin, InstalledPlugins, PluginContents};
use throughline_text::plain;

use crate::answer::Answer;

/// The list as `plugin list` prints it.
pub(super) fn list() -> Answer {
    let installed = InstalledPlugins::of_user();
    let objects: Vec<Value> = installed.all.iter().map(object).collect();
    Answer { text: plugins_page(&installed, &[]), json: json!(objects) }
}

/// The plugins with the names of what each brings, and what cannot be used, for a person. `more`: notices besides.
#[must_use]
pub fn plugins_page(installed: &InstalledPlugins, more: &[String]) -> String {
    let mut lines = Vec::new();
    let mut notices: Vec<String> = Vec::new();
    for one in &installed.all {
        let version = one.record.version.as_deref().unwrap_or("-");
        lines.push(format!("{}  {version}  {}  from {}", one.name, one.state(), one.record.marketplace));
        if let Ok(plugin) = &one.plugin {
            let contents = PluginContents::of(plugin);
            lines.extend(brings(&contents));
            notices.extend(contents.notices.into_iter().filter(|_| one.record.enabled));
        }
    }
    if installed.all.is_empty() {
        lines.push(
            "No plugins. To install one: throughline plugin marketplace add PLACE, then plugin install NAME"
                .to_owned(),
        );
    }
    for notice in installed.notices().iter().chain(more) {
        if !notices.contains(notice) {
            notices.push(notice.clone());
        }
    }
    if !notices.is_empty() {
        lines.extend([String::new(), "Not used as written:".to_owned()]);
        lines.extend(notices.iter().map(|notice| format!("  {notice}")));
    }
    plain(&lines.join("\n"))
}

/// What a plugin brings, a line for each kind.
pub(super) fn brings(contents: &PluginContents) -> Vec<String> {
    let commands: Vec<String> = contents.commands.iter().map(|name| format!("/{name}")).collect();
    let events: BTreeSet<&str> = contents.hooks.iter().map(|hook| hook.event.name()).collect();
    let hooks = match contents.hooks.len() {
        0 => Vec::new(),
        count => vec![format!("{count} at {}", events.into_iter().collect::<Vec<_>>().join(", "))],
    };
    let kinds = [
        ("commands", &commands),
        ("sub-agents", &contents.agents),
        ("skills", &contents.skills),
        ("styles", &contents.output_styles),
        ("hooks", &hooks),
        ("servers", &contents.servers),
    ];
    let some = kinds.into_iter().filter(|(_, names)| !names.is_empty());
    some.map(|(kind, names)| format!("  {kind:<10}  {}", names.join(", "))).collect()
}

/// A plugin for programs.
fn object(one: &InstalledPlugin) -> Value {
    let InstalledPlugin { name, record, plugin } = one;
    let mut object = json!({
        "name": name,
        "version": record.version,
        "state": one.state(),
        "enabled": record.enabled,
        "marketplace": record.marketplace,
        "source": record.source,
        "commit": record.commit,
    });
    let more = match plugin {
        Err(why) => json!({ "notices": [why] }),
        Ok(plugin) => {
            let contents = PluginContents::of(plugin);
            json!({
                "description": plugin.description,
                "author": plugin.author,
                "folder": plugin.root,
                "commands": contents.commands,
                "agents": contents.agents,
                "skills": contents.skills,
                "output_styles": contents.output_styles,
                "hooks": contents.hooks.len(),
                "servers": contents.servers,
                "notices": contents.notices,
            })
        }
    };
    if let (Some(fields), Value::Object(more)) = (object.as_object_mut(), more) {
        fields.extend(more);
    }
    object
}
