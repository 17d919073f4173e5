//! Settings that replace a policy's own.

use throughline_engine::Settings;

use crate::economy::Economy;
use crate::policy::Policy;
use crate::thresholds::NamedThresholds;

/// Settings of a caller in place of a policy's own. `None`: the policy's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PolicyOverrides {
    /// The thresholds.
    pub thresholds: NamedThresholds,
    /// Bytes above which a result is stored and shown in part; it holds for the text of files, too.
    pub offload_bytes: Option<u64>,
    /// Share of the window that descriptions of tools may take, from 0 to 1.
    pub tools_share: Option<f64>,
}

impl PolicyOverrides {
    /// The settings of a policy for a window, in tokens, of which this many are reserved for the output.
    #[must_use]
    pub fn settings(self, policy: Policy, economy: Economy, window: u64, max_output_tokens: u64) -> Settings {
        let mut settings = policy.settings_with(economy, window, max_output_tokens);
        settings.thresholds = self.thresholds.over(settings.thresholds, window, settings.max_output_tokens);
        if let Some(bytes) = self.offload_bytes {
            settings.offload.threshold_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            settings.offload.read_threshold_bytes = 0;
        }
        if let Some(share) = self.tools_share {
            settings.deferral.threshold = share;
        }
        settings
    }
}
