//! Window and output of a model: its own, or those that the user names.

use std::path::Path;

use throughline_budget::{InvalidThresholds, Threshold::Off, Thresholds};
use throughline_completion::CacheRules;
use throughline_providers::models::{Known, ModelRow};
use throughline_settings::{SettingsError, keys};
use throughline_text::group_thousands;
use throughline_wire::anthropic::{LEAST_BUDGET, ThinkingForm};
use throughline_wire::gemini::refused_budget;
use throughline_wire::ollama::think;

use crate::choice::{Api, ModelChoice, Provider, SettingFigure};
use crate::connect::ConnectedModel;
use crate::error::ConnectError;
use crate::served_limits::{WindowSource, add_note};
use throughline_config::{Config, SessionSettings, model_overrides_file};

/// Sets the window of a model that no Ollama serves, and its source. A known window is an upper limit, and the note says so; an
/// assumed one gives way to the user's figure.
pub(crate) fn set_window(row: &mut ModelRow, choice: &ModelChoice, source: &mut WindowSource) {
    let Some(asked) = choice.window else { return };
    if is_assumed(row) {
        *source = WindowSource::Chosen;
        row.info.window = asked;
        row.note = Some(format!(
            "Unknown model {:?}: its window is set to {} tokens",
            row.info.name,
            group_thousands(asked)
        ));
    } else if asked <= row.info.window {
        *source = WindowSource::Chosen;
        row.info.window = asked;
    } else {
        let asker = SettingFigure::asker(choice.completed.window.as_ref(), "--window", asked);
        let too_large = too_large(&asker, &row.info.name, row.info.window);
        add_note(row, format!("{too_large}, which is what it gets"));
    }
}

/// What requests ask for: how much thinking, and by Chat Completions no search and no cache breakpoints of OpenAI, where the provider caches by itself.
pub(crate) fn limit_by_choice(row: &mut ModelRow, choice: &ModelChoice) {
    row.info.thinking = choice.thinking;
    row.info.web_search &= choice.api != Some(Api::Chat);
    if row.cache_breakpoints && choice.api == Some(Api::Chat) {
        row.cache_breakpoints = false;
        row.info.cache = CacheRules::automatic();
    }
}

/// Adds to the note of a model of unknown size where the user can set its figures.
pub(crate) fn add_advice(row: &mut ModelRow, choice: &ModelChoice) {
    let file = model_overrides_file().filter(|_| is_assumed(row));
    let advice = file.map(|file| advice(row, choice, &file));
    row.note = row.note.take().into_iter().chain(advice).reduce(|note, more| format!("{note}. {more}"));
}

/// Checks that the model takes the thinking budget that is asked for.
///
/// # Errors
/// [`ConnectError::Usage`]: the model takes none, or not this one.
pub(crate) fn check_thinking(
    row: &ModelRow,
    choice: &ModelChoice,
    provider: Provider,
) -> Result<(), ConnectError> {
    let Some(budget) = choice.thinking else { return Ok(()) };
    let name = &row.info.name;
    if row.known == Known::Exact && !row.thinking {
        return Err(ConnectError::Usage(format!(
            "{name} takes no thinking budget: leave out {}; in a session, /effort default",
            thinking_asker(choice, budget)
        )));
    }
    let takes = match provider {
        Provider::Anthropic => None,
        Provider::Openai | Provider::Compatible => {
            let effort =
                "an effort: --thinking below 2,048 tokens is low, below 8,192 medium, from there high";
            (budget == 0).then(|| effort.to_owned())
        }
        Provider::Gemini | Provider::GeminiGca => refused_budget(name, budget),
        Provider::Ollama => {
            let effort = "an effort and always thinks: --thinking below 2,048 tokens is low, below 8,192 medium, from there high";
            think(name, budget).is_none().then(|| effort.to_owned())
        }
    };
    let Some(takes) = takes else { return Ok(()) };
    Err(ConnectError::Usage(format!(
        "{} cannot be asked of {}/{name}, which takes {takes}",
        thinking_asker(choice, budget),
        provider.name()
    )))
}

/// The source of a thinking budget, for errors.
fn thinking_asker(choice: &ModelChoice, budget: u64) -> String {
    SettingFigure::asker(choice.completed.thinking.as_ref(), "--thinking", budget)
}

/// The thinking budget, if the model takes it as a number of tokens that are a part of its answer, and not as an
/// effort. 0 asks for no thinking.
pub(crate) fn counted_budget(row: &ModelRow, choice: &ModelChoice) -> Option<u64> {
    let is_counted = row.info.provider == Provider::Anthropic.name()
        && !row.bound_thinking
        && row.thinking_form.unwrap_or_default() != ThinkingForm::Adaptive;
    choice.thinking.filter(|budget| is_counted && *budget > 0)
}

/// Checks a thinking budget against what the API takes: Anthropic's refuses one that is too small, or that leaves no answer.
///
/// # Errors
/// [`ConnectError::Usage`] with the range.
pub(crate) fn check_budget(
    row: &ModelRow,
    choice: &ModelChoice,
    provider: Provider,
) -> Result<(), ConnectError> {
    let range = LEAST_BUDGET..row.info.max_output;
    match counted_budget(row, choice) {
        Some(budget) if provider == Provider::Anthropic && !range.contains(&budget) => {
            Err(ConnectError::Usage(format!(
                "{} is out of the range of {}: {} to {} tokens; leave it out for no thinking",
                thinking_asker(choice, budget),
                row.info.name,
                group_thousands(range.start),
                group_thousands(range.end.saturating_sub(1))
            )))
        }
        _ => Ok(()),
    }
}

fn advice(row: &ModelRow, choice: &ModelChoice, file: &Path) -> String {
    let options = if choice.window.is_some() { "" } else { "with --window, or " };
    format!(
        "Set the real ones {options}in {}:\n  [[model]]\n  name = {:?}\n  window = {}\n  max_output = {}",
        file.display(),
        row.info.name,
        choice.window.unwrap_or(131_072),
        row.info.max_output
    )
}

/// Returns true if nothing is known of the model's size, so that the user's figures are the better ones.
pub(crate) fn is_assumed(row: &ModelRow) -> bool {
    !row.window_said && row.known != Known::Exact
}

impl ConnectedModel {
    /// Checks the limits that options and settings ask for against the model's own, where these are known. A limit of the settings
    /// is for all models, and one that the server said in an error may be out of date, so what is above such a limit is lowered;
    /// the texts say so.
    ///
    /// # Errors
    /// [`ConnectError::Usage`] with the model's own figure, and for a threshold of the settings that the window cannot have.
    pub fn check_limits(
        &self,
        window: Option<u64>,
        max_output: Option<u64>,
        config: &Config,
    ) -> Result<Vec<String>, ConnectError> {
        self.check_thresholds(max_output, config)?;
        let info = &self.row.info;
        // The window of an Ollama model is cut to what it was made for, and the note of the row says so.
        let is_cut = info.provider == Provider::Ollama.name();
        if let Some(window) = window.filter(|window| *window > info.window && !is_cut) {
            let asker = format!("--window {}", group_thousands(window));
            return Err(ConnectError::Usage(too_large(&asker, &info.name, info.window)));
        }
        if let (Some(budget), Some(most)) = (counted_budget(&self.row, &self.choice), max_output)
            && most <= budget
        {
            return Err(ConnectError::Usage(format!(
                "--thinking {} does not fit --max-tokens {}: thinking is a part of the answer; raise --max-tokens or leave it out",
                group_thousands(budget),
                group_thousands(most)
            )));
        }
        let figure = SettingFigure::of(&config.resolved, keys::MAX_OUTPUT_TOKENS);
        let asked = max_output.or(figure.as_ref().map(|figure| figure.tokens));
        let Some(asked) = asked.filter(|asked| *asked > self.largest_output(max_output)) else {
            return Ok(Vec::new());
        };
        let is_of_settings = max_output.is_none();
        let asker = SettingFigure::asker(figure.filter(|_| is_of_settings).as_ref(), "--max-tokens", asked);
        let too_large = too_large(&asker, &info.name, self.largest_output(max_output));
        if self.learned_output || matches!(self.window, WindowSource::Learned { .. }) {
            return Ok(vec![format!(
                "{too_large}, as its server said; that is what it gets (`throughline models --forget {}` forgets it)",
                info.name
            )]);
        }
        if is_of_settings {
            return Ok(vec![format!("{too_large}, which is what it gets")]);
        }
        Err(ConnectError::Usage(too_large))
    }

    /// Checks each threshold of the settings against the window that holds.
    fn check_thresholds(&self, max_output: Option<u64>, config: &Config) -> Result<(), ConnectError> {
        let set = &config.resolved;
        let own = self.next(&SessionSettings::of(set), max_output).settings;
        let window = own.window.map_or(self.row.info.window, |window| window.min(self.row.info.window));
        if matches!(self.window, WindowSource::Learned { .. }) {
            // A learned window is no mistake of the user.
            return Ok(());
        }
        for key in [keys::WARN_AT, keys::COMPACT_AT, keys::BLOCK_AT] {
            let Some(warn) = set.get(key) else { continue };
            let alone = Thresholds { notice: Off, warn, compact: Off, block: Off };
            let checked = alone.limits(window, own.max_output_tokens);
            if !matches!(checked, Err(InvalidThresholds::Zero { .. } | InvalidThresholds::AboveWindow { .. }))
            {
                continue;
            }
            let effective = window.saturating_sub(own.max_output_tokens);
            let why = format!(
                "{warn} is not between 0 and {} tokens, which {} has without the answer; write \"off\", or another threshold",
                group_thousands(effective),
                self.row.info.name
            );
            let (origin, key) = (set.origin(key), key.name().to_owned());
            return Err(ConnectError::Usage(SettingsError { origin, key, why }.to_string()));
        }
        Ok(())
    }

    /// The most tokens of an answer: the model's own limit; for a model of unknown size what the user asks for, up to half of
    /// the window.
    pub(crate) fn largest_output(&self, asked: Option<u64>) -> u64 {
        match asked.filter(|_| is_assumed(&self.row)) {
            Some(asked) => asked.min(self.row.info.window / 2).max(1),
            None => self.row.info.max_output,
        }
    }
}

fn too_large(asker: &str, model: &str, limit: u64) -> String {
    format!("{asker} is more than {model} has: at most {} tokens", group_thousands(limit))
}

#[cfg(test)]
mod tests;
