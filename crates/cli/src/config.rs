//! The user's settings: `config.toml` in the config folder. What is typed on the command line wins over it.

mod keys;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use throughline_agent::Settings;
use throughline_budget::{Ladder, Threshold};
use throughline_compaction::Preset;

use crate::connect::config_folder;
use crate::policy::Policy;
use keys::Keys;

/// A policy, and what the user changed of it.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) policy: Policy,
    keys: Keys,
}

impl Choice {
    /// The policy that is typed, or that of the user's file, or the usual one; with the file's other settings.
    ///
    /// # Errors
    /// The file, the line and what is wrong there.
    pub(crate) fn load(typed: Option<Policy>) -> anyhow::Result<Self> {
        let keys = match file().filter(|file| file.exists()) {
            Some(file) => Keys::read(&file)?,
            None => Keys::default(),
        };
        Ok(Self { policy: typed.or(keys.policy).unwrap_or(Policy::Throughline), keys })
    }

    /// The settings for a model's window, with so many tokens kept for the answer.
    pub(crate) fn settings(&self, window: u64, max_output_tokens: u64) -> Settings {
        let keys = &self.keys;
        let caps = [keys.context_budget, keys.context_window_max];
        let window = caps.into_iter().flatten().fold(window, u64::min);
        let mut settings = self.policy.settings(window, max_output_tokens.min(window / 2).max(1));
        settings.ladder = self.ladder(settings.ladder, window, settings.max_output_tokens);
        if let Some(bytes) = keys.result_offload_threshold {
            settings.offload.threshold_bytes = bytes;
        }
        if let Some(threshold) = keys.tool_deferral_threshold {
            settings.deferral.threshold = threshold;
        }
        settings.compaction.strict = keys.strict;
        if let (Some(messages), Preset::Dex(dex)) =
            (keys.max_recent_messages, &mut settings.compaction.preset)
        {
            dex.keep_messages = messages;
        }
        settings
    }

    /// Tokens of an answer, where the user set them.
    pub(crate) fn max_output_tokens(&self) -> Option<u64> {
        self.keys.max_output_tokens
    }

    /// The thresholds. Of several for one thing the earliest counts; what would come after the compaction is off.
    fn ladder(&self, own: Ladder, window: u64, max_output: u64) -> Ladder {
        let keys = &self.keys;
        let tokens = |threshold: &Threshold| threshold.tokens(window, max_output).unwrap_or(u64::MAX);
        let percent = |percent: u8| Threshold::PercentWindow(f64::from(percent));
        let compact = [
            keys.compact_trigger.map(Threshold::fraction),
            keys.context_compact_pct.map(percent),
            keys.threshold.map(|tokens| if tokens == 0 { Threshold::Off } else { Threshold::Tokens(tokens) }),
        ];
        let compact = compact.into_iter().flatten().min_by_key(tokens).unwrap_or(own.compact);
        let block = keys.hard_block.map_or(own.block, Threshold::fraction);
        let warn = keys.context_warn_pct.map_or(own.warn, percent);
        let before = |rung: Threshold| if tokens(&rung) > tokens(&compact) { Threshold::Off } else { rung };
        let warn = if keys.context_warn_pct.is_some() { warn } else { before(warn) };
        let notice = if tokens(&own.notice) > tokens(&warn) { Threshold::Off } else { before(own.notice) };
        Ladder { notice, warn, compact, block }
    }
}

/// Where the user's settings are.
pub(crate) fn file() -> Option<PathBuf> {
    Some(config_folder()?.join("config.toml"))
}

impl Keys {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read the settings in {}", file.display()))?;
        Self::parse(&text).map_err(|wrong| {
            anyhow::anyhow!(
                "the settings in {}, line {}, `{}`: {}",
                file.display(),
                wrong.line,
                wrong.key,
                wrong.why
            )
        })
    }
}

#[cfg(test)]
mod tests;
