//! `/permissions` and the mode: what runs without a question.

use anyhow::{anyhow, bail};
use throughline_commands::slash::PermissionsCommand;
use throughline_config::without_tilde;
use throughline_permission::{Mode, PlacedRule};
use throughline_terminal::table;
use throughline_text::plain;

use super::driver::Driver;
use super::setup::Setup;

impl Driver {
    /// Shows what runs without a question, or changes it.
    pub(super) async fn permissions(&mut self, change: Option<&PermissionsCommand>) -> anyhow::Result<()> {
        match change {
            None => self.setup.screen.page("", &self.allowed()),
            Some(PermissionsCommand::Mode { mode: name }) => {
                let names = Mode::ALL.map(Mode::name).join(", ");
                let mode = Mode::named(name)
                    .ok_or_else(|| anyhow!("there is no mode {name:?}; there are: {names}"))?;
                self.setup.set_mode(mode);
                self.setup.screen.notice(format!("mode {mode}: {}", mode.meaning()));
            }
            Some(PermissionsCommand::Remove { number }) => self.forget(*number).await?,
        }
        Ok(())
    }

    /// Lets file tools read a folder in this session.
    pub(super) fn add_folder(&self, folder: &str) -> anyhow::Result<()> {
        let path = self.setup.workspace.join(without_tilde(folder));
        let real = path.canonicalize().map_err(|error| anyhow!("cannot use {}: {error}", path.display()))?;
        if !real.is_dir() {
            bail!("{} is no folder", real.display());
        }
        let Some(grants) = self.setup.permissions.read_grants() else {
            bail!("file tools read no other folder here")
        };
        grants.grant(real.clone());
        self.setup.screen.notice(format!(
            "File tools may read {} until the session ends. `writable` in [tools] of the settings lets them write, too.",
            real.display()
        ));
        Ok(())
    }

    async fn forget(&mut self, number: u64) -> anyhow::Result<()> {
        let rules = self.setup.permissions.rules();
        let found = usize::try_from(number).ok().and_then(|number| rules.get(number.checked_sub(1)?));
        let Some(placed) = found else { bail!("there is no rule {number}; /permissions lists them") };
        if !is_remembered(placed) {
            bail!("rule {number} comes from {}; remove it there", placed.place);
        }
        self.setup.permissions.forget(placed.rule.text()).await?;
        self.setup.screen.notice(format!("Forgotten: {}", placed.rule.text()));
        Ok(())
    }

    fn allowed(&self) -> String {
        let now = self.setup.permissions.mode();
        let mut lines = vec!["Mode (Shift+Tab for the next one, /permissions MODE for any):".to_owned()];
        lines.extend(Mode::ALL.map(|mode| {
            let mark = if mode == now { "→" } else { " " };
            format!("{mark} {:<9}  {}", mode.name(), mode.meaning())
        }));
        lines.push(String::new());
        let rules = self.setup.permissions.rules();
        if rules.is_empty() {
            lines.push("No rules yet. Answer a question with `always` to add one.".to_owned());
            return lines.join("\n");
        }
        let mut rows = vec![["RULE", "DOES", "CALLS", "FROM"].map(str::to_owned).to_vec()];
        rows.extend((1..).zip(&rules).map(|(number, placed): (u64, &PlacedRule)| {
            let rule = placed.rule.text().to_owned();
            vec![number.to_string(), placed.kind.name().to_owned(), rule, placed.place.clone()]
        }));
        lines.extend(table(&rows));
        lines.push("/permissions remove N forgets a remembered one.".to_owned());
        plain(&lines.join("\n"))
    }
}

impl Setup {
    /// Switches to the next mode, in a cycle. It applies from the next call on, also in a running turn. The mode that never
    /// asks is skipped unless the session began in it: one key press too many must not allow everything.
    pub(super) fn next_mode(&self) {
        let next = self.permissions.mode().next();
        self.set_mode(if next == Mode::Yolo && !self.yolo { next.next() } else { next });
    }

    /// Sets the mode, which the status line shows.
    pub(super) fn set_mode(&self, mode: Mode) {
        self.permissions.set_mode(mode);
        self.screen.set(|status| mode.name().clone_into(&mut status.mode));
    }
}

/// Returns true if the rule comes from an answer of the user.
fn is_remembered(placed: &PlacedRule) -> bool {
    placed.place == "remembered"
}
