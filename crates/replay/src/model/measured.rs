//! Measures of the requests that a recorded model answered.

use throughline_completion::{CacheRules, CompletionRequest, PrefixUse};
use throughline_conversation::{Components, TokenCounter};

use crate::costs::ByComponent;
use crate::costs::Costs;
use crate::recall::Shares;

/// The most fault texts to collect; further ones repeat them.
const FAULTS: usize = 5;

/// Measures over all requests that were answered from the recording.
#[derive(Debug, Clone, Default)]
pub struct ReplayMeasures {
    /// Cost of the requests.
    pub costs: Costs,
    /// Cost of the same requests with the whole history in each.
    pub full: Costs,
    /// Both with the recorded times, at Anthropic's rules.
    pub anthropic_clock: ClockCosts,
    /// Both with the recorded times, at OpenAI's rules.
    pub openai_clock: ClockCosts,
    /// Requests that break a rule of the provider.
    pub invalid: u64,
    /// The first faults.
    pub faults: Vec<String>,
    /// Requests rejected as too long.
    pub over_window: u64,
    /// Requests for which the recording had no answer.
    pub unrecorded: u64,
    pub(crate) components: ByComponent,
    pub(crate) recall: Option<Shares>,
}

/// Costs when a prompt cache expires while the session is idle.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClockCosts {
    /// Cost of the requests.
    pub costs: Costs,
    /// Cost of the same requests with the whole history in each.
    pub full: Costs,
    /// Requests that found the cache cold, because the session was idle for too long.
    pub restarts: u64,
}

impl ClockCosts {
    fn count(&mut self, split: PrefixUse, full: PrefixUse, cold: bool) {
        self.restarts += u64::from(cold);
        self.costs.add(if cold { split.cold() } else { split });
        self.full.add(if cold { full.cold() } else { full });
    }
}

impl ReplayMeasures {
    pub(super) fn judge(&mut self, faults: &[String]) {
        self.invalid += u64::from(!faults.is_empty());
        let room = FAULTS.saturating_sub(self.faults.len());
        self.faults.extend(faults.iter().take(room).cloned());
    }

    /// Counts a request: as sent, by component, and with the whole history in it; `idle_ms` after the one before.
    pub(super) fn count(
        &mut self,
        split: PrefixUse,
        parts: Components,
        full: PrefixUse,
        factor: f64,
        idle_ms: u64,
    ) {
        let full = scaled_use(full, factor);
        self.costs.add(split);
        self.full.add(full);
        self.anthropic_clock.count(split, full, CacheRules::anthropic().is_cold_after(idle_ms));
        self.openai_clock.count(split, full, CacheRules::automatic().is_cold_after(idle_ms));
        let Components { system, skills, tools, conversation } = parts;
        self.components.add(Components {
            system: scaled(system, factor),
            skills: scaled(skills, factor),
            tools: scaled(tools, factor),
            conversation: scaled(conversation, factor),
        });
    }
}

/// A provider's tokens for the counter's.
pub(super) fn scaled(tokens: u64, factor: f64) -> u64 {
    (tokens as f64 * factor).round() as u64
}

pub(super) fn scaled_use(split: PrefixUse, factor: f64) -> PrefixUse {
    let PrefixUse { read, write, uncached } = split;
    PrefixUse { read: scaled(read, factor), write: scaled(write, factor), uncached: scaled(uncached, factor) }
}

/// Tokens of a request by component, by the counter's own figures.
pub(super) fn raw_components(request: &CompletionRequest, counter: &dyn TokenCounter) -> Components {
    let mut parts = Components::default();
    for section in request.system.iter() {
        let part = if section.skill { &mut parts.skills } else { &mut parts.system };
        *part = part.saturating_add(counter.text(&section.text));
    }
    parts.tools = request.tools.iter().fold(0, |sum: u64, tool| sum.saturating_add(counter.tool(tool)));
    let entries = request.transcript.entries().iter().map(|entry| entry.tokens);
    let tail = request.tail.iter().map(|note| counter.text(note));
    parts.conversation = entries.chain(tail).fold(0, u64::saturating_add);
    parts
}
