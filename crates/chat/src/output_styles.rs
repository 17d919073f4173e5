//! `/output-style`: the styles that a session may have, and which one the next session has.

use throughline_commands::settings::set_for_user;
use throughline_session::Instructions;
use throughline_settings::keys;
use throughline_text::{headline, plain};

use super::driver::Driver;

/// The name that means no style.
const DEFAULT: &str = "default";

impl Driver {
    /// Sets the style of the sessions from the next one on; the prompt of the open one has been sent.
    pub(super) fn set_output_style(&self, name: &str) -> anyhow::Result<()> {
        let styles = self.live.as_ref().map(|live| live.session.instructions.output_styles());
        let known = styles.map(|styles| styles.get(name).map(|style| style.name.clone()));
        let name = match known {
            Some(Some(name)) => name,
            Some(None) if name != DEFAULT => {
                anyhow::bail!("there is no output style {name:?}; /output-style lists them")
            }
            _ => name.to_owned(),
        };
        let (folder, data_dir) = (&self.setup.workspace, self.setup.data.named.clone());
        let said = set_for_user(keys::OUTPUT_STYLE.name(), &name, folder, data_dir)?;
        self.setup.screen.notice(format!("{said} /clear begins a session with it."));
        Ok(())
    }
}

/// The styles, for a person.
pub(super) fn styles_page(instructions: &Instructions) -> String {
    let used = instructions.style().map_or(DEFAULT, |style| style.name.as_str());
    let mark = |name: &str| if name == used { "used" } else { "" };
    let mut lines = vec![
        "Output styles:".to_owned(),
        format!("  {DEFAULT:<24} {:<5} the instructions of a coding agent", mark(DEFAULT)),
    ];
    for style in instructions.output_styles().iter() {
        lines.push(format!(
            "  {:<24} {:<5} {}",
            style.name,
            mark(&style.name),
            headline(&style.description, 100)
        ));
        lines.push(format!("  {:<24} {:<5} in {}", "", "", style.shown));
    }
    lines.extend([
        String::new(),
        "/output-style NAME sets it for the next session. A file .throughline/output-styles/NAME.md of a trusted project, or \
         output-styles/NAME.md of your config folder, adds one."
            .to_owned(),
    ]);
    plain(&lines.join("\n"))
}
