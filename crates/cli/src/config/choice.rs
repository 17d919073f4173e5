//! The policy with what the settings change of it.

use std::path::Path;
use std::sync::Arc;

use throughline_agent::Settings;
use throughline_budget::{Ladder, Threshold};
use throughline_continuity::CheckpointPolicy;
use throughline_policies::{Dex, Policy};
use throughline_settings::{Flag, Resolved, keys};

use super::{Config, Sources, of_user};

/// A policy, and what the user changed of it.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) policy: Policy,
    settings: Resolved,
}

impl Choice {
    /// The policy that the settings name, or the usual one; with the other settings.
    pub(crate) fn of(settings: &Resolved) -> Self {
        let named = settings.get(keys::POLICY).and_then(|name| name.parse().ok());
        Self { policy: named.unwrap_or_default(), settings: settings.clone() }
    }

    /// The same as it is in a folder.
    ///
    /// # Errors
    /// The place of the first setting that cannot be used, and what would be right.
    pub(crate) fn of_folder(workspace: &Path, data_dir: &Path) -> anyhow::Result<Self> {
        let (workspace, data_dir) = (Some(workspace), Some(data_dir.to_owned()));
        Ok(Self::of(&Config::load(Sources { workspace, data_dir, ..Sources::default() })?.resolved))
    }

    /// The same by the user's own settings, in no project.
    ///
    /// # Errors
    /// The place of the first setting that cannot be used, and what would be right.
    pub(crate) fn of_user() -> anyhow::Result<Self> {
        Ok(Self::of(&of_user()?))
    }

    /// The settings for a model's window, with so many tokens kept for the answer.
    pub(crate) fn settings(&self, window: u64, max_output_tokens: u64) -> Settings {
        let own = &self.settings;
        let caps = [own.get(keys::CONTEXT_BUDGET), own.get(keys::CONTEXT_WINDOW_MAX)];
        let window = caps.into_iter().flatten().fold(window, u64::min);
        let mut settings = self.policy.settings(window, max_output_tokens.min(window / 2).max(1));
        settings.ladder = self.ladder(settings.ladder, window, settings.max_output_tokens);
        if let Some(bytes) = own.get(keys::RESULT_OFFLOAD_THRESHOLD) {
            settings.offload.threshold_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        }
        if let Some(threshold) = own.get(keys::TOOL_DEFERRAL_THRESHOLD) {
            settings.deferral.threshold = threshold;
        }
        if let Some(retries) = own.get(keys::RETRIES) {
            settings.retry.attempts = u32::try_from(retries).unwrap_or(u32::MAX).saturating_add(1);
        }
        settings.compaction.strict = own.get(keys::STRICT).unwrap_or_default();
        if let (Some(messages), Policy::Dex) = (own.get(keys::MAX_RECENT_MESSAGES), self.policy) {
            let keep_messages = usize::try_from(messages).unwrap_or(usize::MAX);
            settings.compaction.chain = Arc::new(Dex { keep_messages, ..Dex::default() });
        }
        settings
    }

    /// Tokens of an answer, where the user set them.
    pub(crate) fn max_output_tokens(&self) -> Option<u64> {
        self.settings.get(keys::MAX_OUTPUT_TOKENS)
    }

    /// How often checkpoints are made.
    pub(crate) fn checkpoints(&self) -> CheckpointPolicy {
        match self.settings.get(keys::CHECKPOINT_INTERVAL) {
            Some(interval) => CheckpointPolicy { interval },
            None => CheckpointPolicy::default(),
        }
    }

    /// Whether checkpoints carry a handoff.
    pub(crate) fn handoff(&self) -> bool {
        self.settings.get(keys::GENERATE_HANDOFF).unwrap_or(true)
    }

    /// The thresholds. Of several for one thing the earliest counts; what would come after the compaction is off.
    fn ladder(&self, own: Ladder, window: u64, max_output: u64) -> Ladder {
        let set = &self.settings;
        let tokens = |threshold: &Threshold| threshold.tokens(window, max_output).unwrap_or(u64::MAX);
        let percent = |percent: u64| Threshold::PercentWindow(percent as f64);
        let warned = set.get(keys::CONTEXT_WARN_PCT);
        let compact = [
            set.get(keys::COMPACT_TRIGGER).map(Threshold::fraction),
            set.get(keys::CONTEXT_COMPACT_PCT).map(percent),
            set.get(keys::COMPACTION_THRESHOLD)
                .map(|tokens| if tokens == 0 { Threshold::Off } else { Threshold::Tokens(tokens) }),
        ];
        let compact = compact.into_iter().flatten().min_by_key(tokens).unwrap_or(own.compact);
        let block = set.get(keys::HARD_BLOCK).map_or(own.block, Threshold::fraction);
        let before = |rung: Threshold| if tokens(&rung) > tokens(&compact) { Threshold::Off } else { rung };
        let warn = warned.map_or_else(|| before(own.warn), percent);
        let notice = if tokens(&own.notice) > tokens(&warn) { Threshold::Off } else { before(own.notice) };
        Ladder { notice, warn, compact, block }
    }
}

/// The option `--policy` as a setting.
pub(crate) fn policy_flag(policy: Policy) -> Flag {
    Flag { name: "--policy", key: keys::POLICY.name(), text: policy.name().to_owned() }
}

#[cfg(test)]
mod tests;
