//! Window and output of a model: its own, or those that the user names.

use std::path::Path;

use throughline_completion::CacheRules;
use throughline_providers::models::{Known, ModelRow};
use throughline_text::group_thousands;
use throughline_wire::anthropic::{LEAST_BUDGET, ThinkingForm};
use throughline_wire::gemini::refused_budget;
use throughline_wire::ollama::think;

use crate::choice::{Api, ModelChoice, Provider};
use crate::connect::ConnectedModel;
use crate::error::ConnectError;
use crate::served_limits::WindowSource;
use throughline_config::model_overrides_file;

/// Sets the window of a model that no Ollama serves. A known window is an upper limit; an assumed one gives way to the
/// user's figure.
pub(crate) fn set_window(row: &mut ModelRow, asked: Option<u64>) {
    let Some(asked) = asked else { return };
    if is_assumed(row) {
        row.info.window = asked;
        row.note = Some(format!(
            "Unknown model {:?}: its window is set to {} tokens",
            row.info.name,
            group_thousands(asked)
        ));
    } else {
        row.info.window = row.info.window.min(asked);
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
            "{name} takes no thinking budget: leave out --thinking, THROUGHLINE_MODEL_THINKING and `thinking` of the settings; \
             in a session, /effort default"
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
        "--thinking {} cannot be asked of {}/{name}, which takes {takes}",
        group_thousands(budget),
        provider.name()
    )))
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
                "--thinking {} is out of the range of {}: {} to {} tokens; leave it out for no thinking",
                group_thousands(budget),
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
    /// Checks the limits that a user asked for against the model's own, where these are known. A limit that the server said in an
    /// error may be out of date, so what is above it is lowered; the text says so.
    ///
    /// # Errors
    /// [`ConnectError::Usage`] with the model's own figure.
    pub fn check_limits(
        &self,
        window: Option<u64>,
        max_output: Option<u64>,
    ) -> Result<Option<String>, ConnectError> {
        let info = &self.row.info;
        if info.provider == Provider::Ollama.name() {
            // Its window is cut to what the model was made for, and the note of the row says so.
            return Ok(None);
        }
        if let Some(window) = window.filter(|window| *window > info.window) {
            return Err(too_large("--window", window, &info.name, info.window));
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
        let Some(asked) = max_output.filter(|asked| *asked > self.largest_output(Some(*asked))) else {
            return Ok(None);
        };
        let error = too_large("--max-tokens", asked, &info.name, self.largest_output(Some(asked)));
        if self.learned_output || matches!(self.window, WindowSource::Learned { .. }) {
            return Ok(Some(format!(
                "{}, as its server said; that is what it gets (`throughline models --forget {}` forgets it)",
                error.text(),
                info.name
            )));
        }
        Err(error)
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

fn too_large(option: &str, asked: u64, model: &str, limit: u64) -> ConnectError {
    ConnectError::Usage(format!(
        "{option} {} is more than {model} has: at most {} tokens",
        group_thousands(asked),
        group_thousands(limit)
    ))
}

#[cfg(test)]
mod tests;
