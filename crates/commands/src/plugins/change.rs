//! Enables, disables and removes plugins.

use throughline_config::PluginFile;
use throughline_plugins::{PluginRecord, Registry};
use throughline_text::nearest_name;

use super::args::PluginSwitch;
use crate::usage::UsageError;

/// Enables or disables a plugin. Returns what to say to the user.
///
/// # Errors
/// No plugin has this name, or the registry cannot be changed.
pub fn switch(file: &PluginFile, what: &PluginSwitch) -> anyhow::Result<String> {
    let (name, enabled) = match what {
        PluginSwitch::Enable { name } => (name, true),
        PluginSwitch::Disable { name } => (name, false),
    };
    let was = find(&file.read()?, name)?.enabled;
    file.change(|registry| {
        if let Some(record) = registry.plugins.get_mut(name) {
            record.enabled = enabled;
        }
    })?;
    let state = if enabled { "enabled" } else { "disabled" };
    Ok(match was == enabled {
        true => format!("The plugin {name} is {state} already."),
        false => format!("The plugin {name} is {state}, from the next session on."),
    })
}

/// Removes a plugin with its copies. Returns what to say to the user.
pub(super) fn remove(file: &PluginFile, name: &str) -> anyhow::Result<String> {
    find(&file.read()?, name)?;
    file.change(|registry| drop(registry.plugins.remove(name)))?;
    file.home().remove_copies(name, &[])?;
    Ok(format!("Removed the plugin {name}."))
}

/// The record of a plugin.
pub(super) fn find(registry: &Registry, name: &str) -> Result<PluginRecord, UsageError> {
    registry.plugins.get(name).cloned().ok_or_else(|| {
        let names: Vec<&str> = registry.plugins.keys().map(String::as_str).collect();
        let hint = match (nearest_name(name, names.iter().copied()), names.is_empty()) {
            (Some(near), _) => format!("did you mean {near}?"),
            (None, false) => format!("there are: {}", names.join(", ")),
            (None, true) => "`throughline plugin install NAME` installs one".to_owned(),
        };
        UsageError(format!("no plugin {name:?} is installed; {hint}"))
    })
}
