//! `/effort`: how much the model thinks before it answers.

use anyhow::bail;
use throughline_text::group_thousands;

use super::driver::{Driver, Flow};
use super::effort_levels::{LEVELS, in_words};

impl Driver {
    /// Shows the effort, or changes it from the next request on.
    pub(super) async fn effort(&mut self, level: Option<&str>) -> anyhow::Result<Flow> {
        let Some(level) = level else {
            self.setup.screen.notice(format!(
                "Effort: {}. /effort {} changes it.",
                shown(self.setup.model.thinking),
                names()
            ));
            return Ok(Flow::Stay);
        };
        let thinking = parsed(level)?;
        let before = self.setup.model.thinking;
        self.setup.model.thinking = thinking;
        self.began.1.thinking = thinking;
        let info = self.connected.row.info.clone();
        let flow = self.model(Some(&format!("{}/{}", info.provider, info.name))).await;
        // A level that the model does not take is refused, and nothing has changed.
        match self.connected.choice.thinking == thinking {
            true => {
                self.setup.screen.set(|status| status.effort = in_words(thinking));
                self.setup.screen.notice(format!("Effort: {}, from the next request on.", shown(thinking)));
            }
            false => {
                self.setup.model.thinking = before;
                self.began.1.thinking = before;
            }
        }
        Ok(flow)
    }
}

fn names() -> String {
    let names: Vec<&str> = LEVELS.iter().map(|(name, _)| *name).collect();
    format!("{} or a number of tokens", names.join(", "))
}

fn parsed(level: &str) -> anyhow::Result<Option<u64>> {
    if let Some((_, thinking)) = LEVELS.iter().find(|(name, _)| *name == level) {
        return Ok(*thinking);
    }
    match level.replace(['_', ','], "").parse() {
        Ok(0) => Ok(None),
        Ok(tokens) => Ok(Some(tokens)),
        Err(_) => bail!("there is no effort {level:?}; there are: {}", names()),
    }
}

fn shown(thinking: Option<u64>) -> String {
    let level = LEVELS.iter().find(|(_, own)| *own == thinking).map(|(name, _)| *name);
    let tokens = thinking.map(|tokens| format!("up to {} tokens of thinking", group_thousands(tokens)));
    match (level, tokens) {
        (Some(level), Some(tokens)) => format!("{level}, {tokens}"),
        (Some(level), None) => level.to_owned(),
        (None, tokens) => tokens.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
