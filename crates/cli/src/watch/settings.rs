//! What the settings say of watched agents.

use std::time::Duration;

use anyhow::bail;
use throughline::{Config, ConfigSources, ContextOptions, SessionSettings, foreign_offload_policy};
use throughline_commands::UsageError;
use throughline_documents::CONTEXT_CAP;
use throughline_resultstore::OffloadPolicy;
use throughline_settings::{Key, keys};
use throughline_watch::{ForeignAgent, HOOK_TEXT};

use crate::data_args::DataArgs;
use crate::telemetry;

/// Bytes that a restored context may have.
const SIZES: std::ops::RangeInclusive<u64> = 512..=HOOK_TEXT as u64;

/// Minutes between two extractions.
const EVERY: u64 = 10;

/// Per cent of the window from which the user is warned.
const WARN: u64 = 80;

/// The settings of section `watch`.
#[derive(Debug, Clone)]
pub(super) struct WatchSettings {
    /// Contexts are restored after a compaction.
    pub(super) after_compaction: bool,
    /// Contexts are restored on resume.
    pub(super) on_resume: bool,
    /// Bytes of a context at most.
    pub(super) size: usize,
    /// How contexts are made.
    pub(super) contexts: ContextOptions,
    /// More texts by which a compaction is recognised on a screen.
    pub(super) patterns: Vec<String>,
    /// How often a transcript is stored without a compaction. `None`: only at the end.
    pub(super) every: Option<Duration>,
    /// An agent without hooks gets its context as a paste.
    pub(super) paste: bool,
    /// Per cent of the window from which the user is warned.
    pub(super) warn_pct: u64,
    /// Large results of tools are stored before the model sees them.
    pub(super) offload: bool,
    session: SessionSettings,
}

impl WatchSettings {
    /// The settings of the current folder.
    pub(super) fn load(data: &DataArgs) -> anyhow::Result<Self> {
        let sources = ConfigSources { data_dir: data.data_dir.clone(), ..ConfigSources::default() };
        let config = Config::load(sources)?;
        let own = &config.resolved;
        let texts = |key: Key<Vec<_>>| own.list(key).iter().map(|item| item.text.clone()).collect();
        let restore = own.get(keys::WATCH_RESTORE).unwrap_or_else(|| "both".to_owned());
        let size = own.get(keys::WATCH_SIZE).unwrap_or(CONTEXT_CAP as u64);
        if !SIZES.contains(&size) {
            bail!(UsageError(format!(
                "watch.size is {size} ({}); write {} to {} bytes",
                own.origin(keys::WATCH_SIZE),
                SIZES.start(),
                SIZES.end()
            )));
        }
        let every = own.get(keys::WATCH_EVERY).unwrap_or(EVERY);
        Ok(Self {
            after_compaction: matches!(restore.as_str(), "compaction" | "both"),
            on_resume: matches!(restore.as_str(), "resume" | "both"),
            size: usize::try_from(size).unwrap_or(CONTEXT_CAP),
            contexts: ContextOptions { listeners: telemetry::listeners(), ..ContextOptions::of(&config) },
            patterns: texts(keys::WATCH_PATTERNS),
            every: (every > 0).then(|| Duration::from_secs(every.saturating_mul(60))),
            paste: own.get(keys::WATCH_TYPING).as_deref() != Some("off"),
            warn_pct: own.get(keys::WATCH_WARN_PCT).unwrap_or(WARN),
            offload: own.get(keys::WATCH_OFFLOAD).unwrap_or(false),
            session: SessionSettings::of(own),
        })
    }

    /// When results of an agent are offloaded, and what its model sees of them.
    pub(super) fn offload_policy(&self, agent: ForeignAgent) -> OffloadPolicy {
        foreign_offload_policy(agent, &self.session)
    }
}
