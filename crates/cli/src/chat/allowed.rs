//! `/permissions` and the mode: what may run without a question.

use anyhow::{anyhow, bail};
use throughline_permission::{Mode, PlacedRule};

use super::driver::Driver;
use crate::slash::PermissionsAsk;
use crate::terminal::{plain, table};

impl Driver {
    /// Shows what may run without a question, or changes it.
    pub(super) async fn permissions(&mut self, ask: &PermissionsAsk) -> anyhow::Result<()> {
        match ask {
            PermissionsAsk::Show => self.setup.screen.page("", &self.allowed()),
            PermissionsAsk::Mode(name) => {
                let names = Mode::ALL.map(Mode::name).join(", ");
                let mode = Mode::named(name)
                    .ok_or_else(|| anyhow!("there is no mode {name:?}; there are: {names}"))?;
                self.set_mode(mode);
            }
            PermissionsAsk::Remove(number) => self.forget(*number).await?,
        }
        Ok(())
    }

    /// Takes the next mode, round and round.
    pub(super) fn next_mode(&mut self) {
        self.set_mode(self.setup.permissions.mode().next());
    }

    fn set_mode(&mut self, mode: Mode) {
        self.setup.permissions.set_mode(mode);
        self.setup.screen.set(|board| mode.name().clone_into(&mut board.mode));
        self.setup.screen.notice(format!("mode {mode}: {}", mode.meaning()));
    }

    async fn forget(&mut self, number: u64) -> anyhow::Result<()> {
        let rules = self.setup.permissions.rules();
        let found = usize::try_from(number).ok().and_then(|number| rules.get(number.checked_sub(1)?));
        let Some(placed) = found else { bail!("there is no rule {number}; /permissions lists them") };
        if !is_remembered(placed) {
            bail!("rule {number} is written in {}; take it out there", placed.place);
        }
        self.setup.permissions.forget(placed.rule.text()).await?;
        self.setup.screen.notice(format!("Forgotten: {}", placed.rule.text()));
        Ok(())
    }

    fn allowed(&self) -> String {
        let now = self.setup.permissions.mode();
        let mut lines = vec!["Mode (Shift+Tab for the next one):".to_owned()];
        lines.extend(Mode::ALL.map(|mode| {
            let mark = if mode == now { "→" } else { " " };
            format!("{mark} {:<9}  {}", mode.name(), mode.meaning())
        }));
        lines.push(String::new());
        let rules = self.setup.permissions.rules();
        if rules.is_empty() {
            lines.push("No rules yet: a question can be answered for always.".to_owned());
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

/// Whether the user has allowed it by answering a question.
fn is_remembered(placed: &PlacedRule) -> bool {
    placed.place == "remembered"
}
