//! What the settings say of watched agents.

use std::sync::Arc;
use std::time::Duration;

use throughline_agent::Listeners;
use throughline_config::{Config, SessionSettings};
use throughline_engine::Settings;
use throughline_resultstore::OffloadPolicy;
use throughline_settings::{Key, keys};
use throughline_stored::ContextOptions;

use crate::agent::ForeignAgent;
use crate::offload::offload_policy;

/// The settings of section `watch`.
#[derive(Debug, Clone)]
pub struct WatchSettings {
    /// Contexts are restored after a compaction.
    pub after_compaction: bool,
    /// Contexts are restored on resume.
    pub on_resume: bool,
    /// Bytes of a context at most.
    pub size: usize,
    /// How contexts are made.
    pub contexts: ContextOptions,
    /// More texts by which a compaction is recognised on a screen.
    pub patterns: Vec<String>,
    /// How often a transcript is stored without a compaction. `None`: only at the end.
    pub every: Option<Duration>,
    /// An agent without hooks gets its context as a paste.
    pub paste: bool,
    /// Per cent of the window from which the user is warned.
    pub warn_pct: u64,
    /// Large results of tools are stored before the model sees them.
    pub offload: bool,
    /// Compactions of Claude Code are answered with our view.
    pub compactor: bool,
    session: SessionSettings,
}

impl WatchSettings {
    /// What the effective settings say. `listeners` hear of the requests to the model that summarizes.
    #[must_use]
    pub fn of(config: &Config, listeners: Option<Arc<dyn Listeners>>) -> Self {
        let own = &config.resolved;
        let texts = |key: Key<Vec<_>>| own.list(key).iter().map(|item| item.text.clone()).collect();
        let restore = own.in_force(keys::WATCH_RESTORE).unwrap_or_default();
        let size = own.in_force(keys::WATCH_SIZE).unwrap_or_default();
        let every = own.in_force(keys::WATCH_EVERY).unwrap_or_default();
        Self {
            after_compaction: matches!(restore.as_str(), "compaction" | "both"),
            on_resume: matches!(restore.as_str(), "resume" | "both"),
            size: usize::try_from(size).unwrap_or(usize::MAX),
            contexts: ContextOptions { listeners, ..ContextOptions::of(config) },
            patterns: texts(keys::WATCH_PATTERNS),
            every: (every > 0).then(|| Duration::from_secs(every.saturating_mul(60))),
            paste: own.in_force(keys::WATCH_TYPING).as_deref() == Some("paste"),
            warn_pct: own.in_force(keys::WATCH_WARN_PCT).unwrap_or_default(),
            offload: own.in_force(keys::WATCH_OFFLOAD).unwrap_or_default(),
            compactor: own.in_force(keys::WATCH_COMPACTOR).unwrap_or_default(),
            session: SessionSettings::of(own),
        }
    }

    /// The settings of an engine for a window of another agent.
    pub(crate) fn engine_settings(&self, window: u64, output: u64) -> Settings {
        self.session.for_window(window, output)
    }

    /// When results of an agent are offloaded, and what its model sees of them.
    pub fn offload_policy(&self, agent: ForeignAgent) -> OffloadPolicy {
        offload_policy(agent, &self.session)
    }
}
