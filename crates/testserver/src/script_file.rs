//! Scripts as JSON.

mod answer_fields;

use serde::Deserialize;

use crate::{Demand, Script};
use answer_fields::ScriptedAnswer;

/// Why a text is no script.
#[derive(Debug, thiserror::Error)]
#[error("the script cannot be read")]
pub struct ScriptError {
    /// Names the line and the column.
    #[from]
    source: serde_json::Error,
}

impl ScriptError {
    /// The line of the text where the fault was found, counted from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.source.line()
    }
}

impl Script {
    /// Reads a script.
    ///
    #[doc = include_str!("../SCRIPT.md")]
    ///
    /// # Errors
    /// When the text is no script.
    pub fn from_json(text: &str) -> Result<Self, ScriptError> {
        let file = if text.trim_start().starts_with('[') {
            ScriptFile { answers: serde_json::from_str(text)?, ..ScriptFile::default() }
        } else {
            serde_json::from_str(text)?
        };
        let mut script = Self::new();
        script.answers = file.answers.into_iter().map(|ScriptedAnswer(answer)| answer).collect();
        script.repeat_last = file.repeat_last;
        script.key = file.key;
        script.lenient = file.lenient;
        script.cuts_at = file.cuts_at;
        script.demands = file.demands;
        for model in file.models {
            script = script.model(&model.name, model.window);
        }
        Ok(script)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptFile {
    answers: Vec<ScriptedAnswer>,
    #[serde(default)]
    repeat_last: bool,
    key: Option<String>,
    #[serde(default)]
    models: Vec<ScriptedModel>,
    #[serde(default)]
    lenient: bool,
    cuts_at: Option<u64>,
    #[serde(default)]
    demands: Vec<Demand>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedModel {
    name: String,
    window: u64,
}
