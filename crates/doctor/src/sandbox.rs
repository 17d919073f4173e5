//! The sandbox of commands.

use throughline_config::Config;
use throughline_session::sandbox_notes;
use throughline_settings::keys;
use throughline_store::DataDir;

use crate::finding::{Area, Finding};

pub(crate) async fn examine(config: &Config) -> Vec<Finding> {
    if config.resolved.get(keys::SANDBOX) == Some(false) {
        return vec![Finding::note(
            Area::Sandbox,
            format!("commands run without one: {} is false", keys::SANDBOX.name()),
        )];
    }
    // A check of a sandbox is remembered in the data folder, which is not made here.
    let data = DataDir::existing(config.data_dir.clone());
    let notes = sandbox_notes(config, &config.project.root, data.as_ref().map(DataDir::root)).await;
    if notes.is_empty() {
        return vec![Finding::good(Area::Sandbox, "commands are limited to the project")];
    }
    notes.into_iter().map(|text| Finding::note(Area::Sandbox, text)).collect()
}
