//! A policy and the settings that override parts of it.

use std::path::Path;
use std::sync::Arc;

use throughline_agent::{DialStep, Settings};
use throughline_compaction::{ModelSummaries, Summarizer};
use throughline_completion::LanguageModel;
use throughline_continuity::CheckpointPolicy;
use throughline_conversation::{ForeignTools, PolicyRecord};
use throughline_documents::StateRule;
use throughline_policies::{Dex, Economy, NamedThresholds, Policy, PolicyOverrides, Slop, SummaryStyle};
use throughline_prompt::DynamicPlacement;
use throughline_settings::{Key, Origin, Resolved, keys};
use throughline_summarizer::{ModelSummarizer, ProviderSummarizer, SummarizerSettings};

use crate::config::{Config, ConfigSources};
use crate::error::Result;
use crate::layers::of_user;

/// The policy of a session, and the settings that override parts of it.
#[derive(Debug, Clone)]
pub struct SessionSettings {
    policy: Policy,
    settings: Resolved,
    /// Where the session has moved the dial to.
    moved: Option<Economy>,
}

impl SessionSettings {
    /// The policy that the settings name, else the default one, with the other settings.
    #[must_use]
    pub fn of(settings: &Resolved) -> Self {
        let named = settings.get(keys::POLICY).and_then(|name| name.parse().ok());
        Self { policy: named.unwrap_or_default(), settings: settings.clone(), moved: None }
    }

    /// The settings of a workspace, and why files of its project are not among them.
    ///
    /// # Errors
    /// A setting that cannot be used, with its place and what would be right.
    pub fn of_workspace(workspace: &Path, data_dir: &Path) -> Result<(Self, Option<String>)> {
        let sources = ConfigSources {
            workspace: Some(workspace),
            data_dir: Some(data_dir.to_owned()),
            ..ConfigSources::default()
        };
        let config = Config::load(sources)?;
        let problems = &config.project.problems;
        Ok((Self::of(&config.resolved), (!problems.is_empty()).then(|| problems.join("; "))))
    }

    /// The user's own settings, without a project.
    ///
    /// # Errors
    /// A setting that cannot be used, with its place and what would be right.
    pub fn of_user() -> Result<Self> {
        Ok(Self::of(&of_user()?))
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The same settings with the policy that a session was recorded with, unless a flag names the policy, and with the dial
    /// where the session has moved it.
    pub fn continuing(&self, recorded: Option<&PolicyRecord>) -> Self {
        let flag = matches!(self.settings.origin(keys::POLICY), Origin::Flag(_));
        let policy = recorded.filter(|_| !flag).and_then(|recorded| recorded.name.parse().ok());
        let moved = recorded.and_then(|recorded| recorded.economy.as_ref()?.parse().ok());
        Self { policy: policy.unwrap_or(self.policy), settings: self.settings.clone(), moved }
    }

    /// Writes the summaries of this model's sessions: the model, or its provider as far as that has a compaction of its own.
    pub fn summarizer(&self, model: Arc<dyn LanguageModel>) -> Arc<dyn Summarizer> {
        let sizes = SummarizerSettings::default();
        match self.settings.get(keys::COMPACTION_SUMMARIZER).as_deref() {
            Some("provider") => Arc::new(ProviderSummarizer::new(model, sizes)),
            _ => Arc::new(ModelSummarizer::new(model, sizes)),
        }
    }

    /// The agent's settings for a model's window, with this many tokens reserved for the output.
    #[must_use]
    pub fn for_window(&self, window: u64, max_output_tokens: u64) -> Settings {
        self.at(self.economy(), window, max_output_tokens)
    }

    /// The same with this setting of the dial.
    fn at(&self, economy: Economy, window: u64, max_output_tokens: u64) -> Settings {
        let own = &self.settings;
        let window = own.get(keys::CONTEXT_BUDGET).map_or(window, |budget| window.min(budget));
        let reserved = max_output_tokens.min(window / 2).max(1);
        let overrides = PolicyOverrides {
            thresholds: NamedThresholds {
                warn: own.get(keys::WARN_AT),
                compact: own.get(keys::COMPACT_AT),
                block: own.get(keys::BLOCK_AT),
            },
            offload_bytes: own.get(keys::RESULT_OFFLOAD_THRESHOLD),
            tools_share: own.get(keys::TOOL_DEFERRAL_THRESHOLD),
        };
        let mut settings = overrides.settings(self.policy, economy, window, reserved);
        if let Some(retries) = own.get(keys::RETRIES) {
            settings.retry.attempts = u32::try_from(retries).unwrap_or(u32::MAX).saturating_add(1);
        }
        if let Some(most) = own.get(keys::STALLED_REQUESTS) {
            settings.max_stalled_requests = (most > 0).then_some(most);
        }
        let style = own.get(keys::COMPACTION_SUMMARY).and_then(|name| name.parse::<SummaryStyle>().ok());
        if let Some(style) = style {
            settings.compaction = style.apply(self.policy, settings.compaction);
        } else if own.get(keys::COMPACTION_SUMMARIZER).is_some() {
            // Who is named is asked.
            settings.compaction.model_summaries = ModelSummaries::Always;
        }
        settings.compaction.instructions =
            own.get(keys::COMPACTION_INSTRUCTIONS).filter(|text| !text.trim().is_empty());
        if let Some(share) = own.get(keys::PIN_SHARE) {
            settings.pin_share = share;
        }
        settings.compaction.strict = own.get(keys::STRICT).unwrap_or_default();
        match self.policy {
            Policy::Dex => settings.compaction.chain = Arc::new(self.dex()),
            Policy::Slop => settings.compaction.chain = Arc::new(self.slop()),
            _ => {}
        }
        if let Some(placement) = own.get(keys::DYNAMIC_PLACEMENT) {
            settings.placement = match placement.as_str() {
                "system_tail" => DynamicPlacement::SystemTail,
                _ => DynamicPlacement::LastUser,
            };
        }
        if let Some(foreign) = own.get(keys::FOREIGN_TOOLS) {
            settings.foreign =
                if foreign == "isolate" { ForeignTools::Isolate } else { ForeignTools::Digest };
        }
        settings.next_step = self.next_step(economy, window, max_output_tokens);
        settings
    }

    /// The dial of policy throughline: as set, or where the session has moved it towards `faithful`.
    #[must_use]
    pub fn economy(&self) -> Economy {
        let set = self.settings.get(keys::ECONOMY).and_then(|name| name.parse().ok()).unwrap_or_default();
        self.moved.filter(|moved| self.adapts() && *moved > set).unwrap_or(set)
    }

    /// Returns true if a session may move its dial. The command line pins it.
    fn adapts(&self) -> bool {
        let pinned = matches!(self.settings.origin(keys::ECONOMY), Origin::Flag(_));
        self.policy == Policy::Throughline && !pinned && self.settings.get(keys::ADAPT).unwrap_or(true)
    }

    fn next_step(&self, from: Economy, window: u64, max_output_tokens: u64) -> Option<Box<DialStep>> {
        let to = from.towards_faithful().filter(|_| self.adapts())?;
        Some(Box::new(DialStep {
            policy: self.policy.name().to_owned(),
            from: from.name().to_owned(),
            to: to.name().to_owned(),
            settings: self.at(to, window, max_output_tokens),
        }))
    }

    fn dex(&self) -> Dex {
        let own = Dex::default();
        Dex { keep_messages: self.size(keys::MAX_RECENT_MESSAGES, own.keep_messages), ..own }
    }

    fn slop(&self) -> Slop {
        let own = Slop::default();
        Slop {
            recent: self.size(keys::RECENT_RESULTS, own.recent),
            recent_chars: self.size(keys::RECENT_CHARS, own.recent_chars),
            older_chars: self.size(keys::OLDER_CHARS, own.older_chars),
            inactive_chars: self.size(keys::INACTIVE_CHARS, own.inactive_chars),
            ..own
        }
    }

    fn size(&self, key: Key<u64>, own: usize) -> usize {
        self.settings.get(key).map_or(own, |set| usize::try_from(set).unwrap_or(usize::MAX))
    }

    /// When the model is asked for a STATE block.
    #[must_use]
    pub fn state_rule(&self) -> StateRule {
        match self.settings.get(keys::STATE_RULE).as_deref() {
            Some("when_changed") => StateRule::WhenChanged,
            Some("every_response") => StateRule::EveryResponse,
            Some("off") => StateRule::Off,
            _ => self.policy.state_rule(),
        }
    }

    /// Groups that a new session shows; `None`: all. `own` is the number of the policy.
    pub fn shown_groups(&self, own: Option<u32>) -> Option<u32> {
        match self.settings.get(keys::CONTEXT_GROUPS) {
            Some(0) => None,
            Some(groups) => Some(u32::try_from(groups).unwrap_or(u32::MAX)),
            None => own,
        }
    }

    /// Returns true if an undo deletes the turn permanently.
    #[must_use]
    pub fn undo_deletes(&self) -> bool {
        self.settings.get(keys::UNDO_MODE).is_some_and(|mode| mode == "delete")
    }

    /// Maximum tokens of an answer, if the settings say so.
    #[must_use]
    pub fn max_output_tokens(&self) -> Option<u64> {
        self.settings.get(keys::MAX_OUTPUT_TOKENS)
    }

    /// How often checkpoints are made.
    #[must_use]
    pub fn checkpoints(&self) -> CheckpointPolicy {
        match self.settings.get(keys::CHECKPOINT_INTERVAL) {
            Some(interval) => CheckpointPolicy { interval },
            None => CheckpointPolicy::default(),
        }
    }

    /// Returns true if checkpoints carry a handoff.
    #[must_use]
    pub fn handoff(&self) -> bool {
        self.settings.get(keys::GENERATE_HANDOFF).unwrap_or(true)
    }
}

#[cfg(test)]
mod tests;
