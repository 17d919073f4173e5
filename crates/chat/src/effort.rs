//! `/effort`: how much the model thinks before it answers.

use anyhow::bail;
use throughline_providers::models::{Known, ModelRow};
use throughline_text::group_thousands;

use super::driver::{Driver, Flow};
use super::effort_levels::{LEVELS, in_words};

impl Driver {
    /// Shows the effort, or changes it from the next request on.
    pub(super) async fn effort(&mut self, level: Option<&str>) -> anyhow::Result<Flow> {
        let Some(level) = level else {
            self.setup.screen.notice(format!(
                "Effort: {}. /effort {} changes it.",
                shown(self.connected.choice.thinking),
                names()
            ));
            return Ok(Flow::Stay);
        };
        let thinking = parsed(level)?;
        if thinking.is_some() && never_thinks(&self.connected.row) {
            let asked = if thinking == OFF { "Effort: off. " } else { "Nothing was changed: " };
            self.setup
                .screen
                .notice(format!("{asked}This model does not think. /effort default asks for nothing."));
            return Ok(Flow::Stay);
        }
        let before = self.setup.model.thinking;
        self.setup.model.thinking = thinking;
        self.first.choice.thinking = thinking;
        let info = self.connected.row.info.clone();
        let (flow, done) = self.switch(&format!("{}/{}", info.provider, info.name)).await;
        let screen = &self.setup.screen;
        if done {
            // The settings may have a level of their own.
            let now = self.connected.choice.thinking;
            self.setup.model.thinking = now;
            screen.set(|status| status.effort = in_words(now));
            screen.notice(format!("Effort: {}, from the next request on.", shown(now)));
        } else {
            // A level that the model does not take is refused, and nothing has changed.
            self.setup.model.thinking = before;
            self.first.choice.thinking = before;
            if thinking == OFF {
                screen.notice("/effort low is the least that can be asked for; /effort default leaves it to the provider.");
            }
        }
        Ok(flow)
    }
}

/// No thinking.
const OFF: Option<u64> = Some(0);

/// Returns true if the model is known to have no thinking.
fn never_thinks(row: &ModelRow) -> bool {
    row.known == Known::Exact && !row.thinking
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
        Ok(tokens) => Ok(Some(tokens)),
        Err(_) => bail!("there is no effort {level:?}; there are: {}", names()),
    }
}

fn shown(thinking: Option<u64>) -> String {
    let Some(tokens) = thinking else { return "the provider's default".to_owned() };
    let level = LEVELS.iter().find(|(_, own)| *own == thinking).map(|(name, _)| *name);
    let most = format!("up to {} tokens of thinking", group_thousands(tokens));
    match level {
        Some(level) if thinking == OFF => level.to_owned(),
        Some(level) => format!("{level}, {most}"),
        None => most,
    }
}

#[cfg(test)]
mod tests;
