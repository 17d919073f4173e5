//! `/output-style NAME`: the output style of the next session.

use std::sync::Arc;

use throughline_commands::settings::with_overrides;
use throughline_config::{Config, DEFAULT_STYLE, SettingsFile};
use throughline_settings::keys;

use super::driver::Driver;

impl Driver {
    /// Sets the style of the sessions that are opened from now on; the prompt of the open one has been sent.
    pub(super) fn set_output_style(&mut self, name: &str) -> anyhow::Result<()> {
        let styles = self.live.as_ref().map(|live| live.session.instructions.output_styles());
        let known = styles.map(|styles| styles.get(name).map(|style| style.name.clone()));
        let name = match known {
            Some(Some(name)) => name,
            Some(None) if name != DEFAULT_STYLE => {
                anyhow::bail!("there is no output style {name:?}; /output-style lists them")
            }
            _ => name.to_owned(),
        };
        let (key, file) = (keys::OUTPUT_STYLE.name(), SettingsFile::of_user()?);
        file.set(key, &name)?;
        let next = self.setup.load_config()?;
        let text =
            format!("Set {key} to {name} in {}. /clear begins a session with it.", file.path().display());
        let text = with_overrides(text, &next, key, &file);
        let output_style = next.output_style.clone();
        self.setup.config = Arc::new(Config { output_style, ..Config::clone(&self.setup.config) });
        self.setup.screen.notice(text);
        Ok(())
    }
}
